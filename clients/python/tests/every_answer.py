"""Prints what the client makes of answers that are not the ones it asked for: `meaning|type|as a person reads it`.

They are in the file of the first argument, one a line: a status, a space, and the body. The test of the description of
the API runs it.
"""

import sys

from kvant_client._errors import meaning_of, problem_of


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as answers:
        for answer in answers:
            status, _, body = answer.rstrip("\n").partition(" ")
            problem = problem_of(int(status), body.encode())
            print(meaning_of(problem).name, problem.type, problem, sep="|")


main()
