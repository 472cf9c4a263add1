"""Lends a PostgreSQL without standbys to a test program.

usage: lend_postgres.py FOLDER

Prints the conninfo of an empty database, or "none" and why there is none, and ends it when nobody reads from it any
more.
"""
import os
import select
import shutil
import sys
import tempfile

from ports import hold_port
from postgres import Account, Postgres, why_not


class One:
    """One PostgreSQL without standbys."""

    def __init__(self, folder):
        account = Account()
        home = os.path.join(folder, "postgres")
        os.mkdir(home, 0o700)
        account.own(home)
        os.chmod(folder, 0o711)
        password, superuser = os.path.join(home, "password"), os.path.join(home, "passfile")
        account.write(password, "secret")
        account.write(superuser, "*:*:*:postgres:secret\n")
        self.postgres = Postgres(home, "one", hold_port(), account, superuser, "")
        self.postgres.make(password)
        self.postgres.follow(None)
        self.postgres.start()
        self.postgres.sql("CREATE ROLE ludus LOGIN PASSWORD 'secret'")

    def conninfo(self, database):
        self.postgres.sql(f"CREATE DATABASE {database} OWNER ludus")
        return f"hostaddr=127.0.0.1 port={self.postgres.port} dbname={database} user=ludus password=secret"


def main():
    if reason := why_not():
        print("none", reason)
        return
    folder = tempfile.mkdtemp(prefix="lent-", dir=os.path.abspath(sys.argv[1]))
    try:
        one = One(folder)
        try:
            print(one.conninfo("lent"), flush=True)
            reader = select.poll()
            reader.register(sys.stdout, 0)
            reader.poll()
        finally:
            one.postgres.kill()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
    os.close(sys.stdout.fileno())
