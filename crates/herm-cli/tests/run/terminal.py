"""Runs a command at a terminal of its own, and types when it is asked.

Arguments: rows, columns, then for each step what to wait for and what to type, then `--` and the command. A step waits for
new output that holds its text; one with no text types at once. Prints the exit code on a line, then everything that was shown.
"""

import fcntl, os, pty, select, struct, sys, termios, time

LIMIT = 30


def main():
    split = sys.argv.index("--")
    rows, columns = int(sys.argv[1]), int(sys.argv[2])
    steps = list(zip(sys.argv[3:split:2], sys.argv[4:split:2]))
    command = sys.argv[split + 1 :]
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.execvp(command[0], command)
    while steps and not steps[0][0]:
        os.write(terminal, steps.pop(0)[1].encode().decode("unicode_escape").encode("latin-1"))
    shown, seen = follow(terminal, steps, time.monotonic() + LIMIT)
    _, status = os.waitpid(child, 0)
    sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
    sys.stdout.write(shown.decode("utf-8", "replace"))


def follow(terminal, steps, end):
    shown, seen = b"", 0
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.05)
        if ready:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        if steps and steps[0][0].encode() in shown[seen:]:
            _, keys = steps.pop(0)
            seen = len(shown)
            time.sleep(0.1)
            os.write(terminal, keys.encode().decode("unicode_escape").encode("latin-1"))
    return shown, seen


main()
