#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Servers that misbehave, on real sockets: what the tools say, and that they end with exit status 1 (hscan: 2 for a cluster).

Usage: bad_servers.py --bin DIR      Exit status: 0 all well, 1 not.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import servers  # noqa: E402

SAVED = ROOT / "tests" / "golden" / "hscan" / "two-clusters" / "north"
FILES = {"/2/groups?bulk=1": "groups", "/2/nodes?bulk=1": "nodes", "/2/instances?bulk=1": "instances", "/2/info": "info"}
JSON = {"Content-Type": "application/json"}
FAILED = "Error: failed to load data, aborting: "


def saved(path):
    return (SAVED / f"{FILES[path]}.json").read_bytes()


def good(handler):
    return 200, JSON, saved(handler.path)


def with_user(handler):
    if handler.headers.get("Authorization") != "Basic bWU6c2VjcmV0":  # me:secret
        return 401, {"WWW-Authenticate": "Basic realm=x"}, b'{"code": 401}'
    return good(handler)


def half(handler):
    body = saved(handler.path)
    return 200, {"Content-Length": str(2 * len(body))}, body


def redirect(handler):
    return 302, {"Location": "http://127.0.0.1:1/"}, b""


def other_version(_):
    return 404, JSON, b'{"code": 404, "message": "Not Found"}'


def cut_json(handler):
    return 200, JSON, saved(handler.path)[:-20]


class Checks:
    def __init__(self, folder, work):
        self.folder, self.work, self.problems = folder, work, 0

    def run(self, tool, *words, **environment):
        return subprocess.run([self.folder / tool, *words], cwd=self.work, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60, check=False, env={**os.environ, **environment})

    def expect(self, what, done, status, stderr):
        """`stderr`: the whole of it, or its beginning where it ends in "..."."""
        matches = done.stderr.startswith(stderr[:-3]) if stderr.endswith("...") else done.stderr == stderr
        is_right = done.returncode == status and matches
        print(("ok      " if is_right else "FAILED  ") + what, flush=True)
        if not is_right:
            self.problems += 1
            print(f"  expected {status} {stderr!r}\n  got      {done.returncode} {done.stderr!r}", flush=True)

    def curl(self, what, address, name, *options, shown=None):
        done = self.run("hinfo", "-m", address, *options)
        url = f"{shown or address}/2/groups?bulk=1"
        warning = unchecked(shown) if shown else ""
        self.expect(what, done, 1, f"{warning}{FAILED}Curl error for '{url}', error {name}")


def unchecked(address):
    """What is said before a password goes to a server whose certificate nobody checks."""
    where = ("to a server that nobody checks (--rapi-ca checks it)" if address.lower().startswith("https://")
             else "over a connection that is not encrypted (https:// encrypts it)")
    return f"Warning: {address}: a password goes {where}\n"


def silent():
    """A socket that accepts and says nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    return listener, "127.0.0.1:%d" % listener.getsockname()[1]


def check_remote_api(checks):
    with servers.web(good) as address:
        done = checks.run("hinfo", "-m", "http://" + address)
        same = checks.run("hinfo", "-m", f"file://{SAVED}")
        checks.expect("a good server gives what the saved answers give", done, 0, same.stderr)
        checks.problems += done.stdout != same.stdout
    checks.curl("refused connection", "127.0.0.1:1", "CurlCouldntConnect\n")
    checks.curl("unknown scheme", "ftp://127.0.0.1:1", "CurlUnspportedProtocol\n")
    for what, answer, name in [("half an answer", half, "CurlPartialFile\n"), ("401", with_user, "CurlHttpReturnedError\n"),
                               ("another version", other_version, "CurlHttpReturnedError\n"),
                               ("a server that hangs up", lambda _: None, "CurlGotNothing\n")]:
        with servers.web(answer) as address:
            checks.curl(what, "http://" + address, name)
    with servers.web(with_user) as address:
        checks.expect("user and password", checks.run("hinfo", "-m", f"http://me:secret@{address}", "-q"), 0,
                      unchecked(f"http://me:***@{address}"))
        for scheme in ("", "HTTP://"):
            checks.expect(f"a password over http, written {scheme!r}, with a certificate to check",
                          checks.run("hinfo", "-m", f"{scheme}me:secret@{address}", "-q", "--rapi-ca", "/dev/null"), 0,
                          unchecked(f"{scheme}me:***@{address}"))
        by_file, home = checks.work / "user", checks.work / "home"
        by_file.write_text("me secret\n")
        home.mkdir()
        (home / ".netrc").write_text("machine other.example login x password y\nmachine 127.0.0.1 login me password secret\n")
        for what, extra, environment in [("a file", ["--rapi-user-file", by_file], {}), ("~/.netrc", [], {"HOME": str(home)}), (
                "the environment", [], {"BALLAST_RAPI_USER": "me", "BALLAST_RAPI_PASSWORD": "secret"})]:
            checks.expect(f"user and password from {what}", checks.run("hinfo", "-m", f"http://{address}", "-q", *extra, **environment), 0,
                          unchecked(f"http://{address}"))
        checks.curl("a wrong password, which is not shown", f"http://me:wrong@{address}", "CurlHttpReturnedError\n",
                    shown=f"http://me:***@{address}")
    with servers.web(redirect) as address:
        checks.expect("a redirect is not followed", checks.run("hinfo", "-m", "http://" + address), 1,
                      f"{FAILED}Parsing group data: Invalid JSON: ...")
    with servers.web(cut_json) as address:
        checks.expect("JSON that ends too early", checks.run("hinfo", "-m", "http://" + address), 1, f"{FAILED}Parsing group data: ...")
    listener, address = silent()
    with listener:
        checks.curl("time-out", "http://" + address, "CurlOperationTimeout\n", "--timeout=1")
        checks.curl("not TLS, and silent", "https://" + address, "CurlOperationTimeout\n", "--timeout=1")
    with servers.web(good) as address:
        checks.curl("not TLS", "https://" + address, "CurlSSLConnectError\n")
        done = checks.run("hscan", "http://" + address, "127.0.0.1:1")
        checks.expect("hscan does the others", done, 2, "")
        checks.problems += "\nError for 127.0.0.1:1: failed to load data. Details:\n" not in done.stdout


def check_passwords(checks):
    """Whatever a password holds, it reaches the server and nobody else, and is not shown."""
    for password in ("se/cret", "1/2", "a?b", "a#b", "se@cret", "a:b", "/"):
        def answer(handler, password=password):
            told = handler.headers.get("Authorization")
            return good(handler) if told == "Basic " + base64.b64encode(f"me:{password}".encode()).decode() else (401, {}, b"")
        with servers.web(answer) as address:
            checks.expect(f"the password {password}", checks.run("hinfo", "-m", f"http://me:{password}@{address}", "-q"), 0,
                          unchecked(f"http://me:***@{address}"))


def check_credentials(checks):
    """Of several passwords: the address goes before --rapi-user-file, which goes before the environment."""
    (checks.work / "wrong").write_text("me guess\n")
    variables = {"HOME": str(checks.work / "nobody"), "BALLAST_RAPI_USER": "me", "BALLAST_RAPI_PASSWORD": "secret"}
    with servers.web(with_user) as address:
        url = "http://" + address
        refused = f"{FAILED}Curl error for '{url}/2/groups?bulk=1', error CurlHttpReturnedError\n"
        checks.expect("no password", checks.run("hinfo", "-m", url, "-q", HOME=variables["HOME"]), 1, refused)
        wrong = ["-q", "--rapi-user-file", "wrong"]
        checks.expect("the file goes before the environment", checks.run("hinfo", "-m", url, *wrong, **variables), 1, unchecked(url) + refused)
        checks.expect("the address goes before the file", checks.run("hinfo", "-m", f"http://me:secret@{address}", *wrong, **variables), 0,
                      unchecked(f"http://me:***@{address}"))


def make_certificate(work, name):
    pair = work / f"{name}.pem", work / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
                    f"subjectAltName=DNS:{name}", "-out", pair[0], "-keyout", pair[1]], check=True, capture_output=True)
    return pair


def check_certificates(checks):
    if not shutil.which("openssl"):
        print("skipped: certificates (no openssl)")
        return
    own, other = make_certificate(checks.work, "localhost"), make_certificate(checks.work, "elsewhere.example")
    with servers.web(good, certificate=own) as address:
        port = address.split(":")[1]
        by_name, by_address = f"https://localhost:{port}", f"https://{address}"
        checks.expect("no certificate is verified by default", checks.run("hinfo", "-m", by_address, "-q"), 0, "")
        checks.expect("the certificate that is trusted", checks.run("hinfo", "-m", by_name, "-q", "--rapi-ca", own[0]), 0, "")
        checks.curl("another certificate", by_name, "CurlSSLCACert: SSL certificate problem: self-signed certificate\n",
                    "--rapi-ca", other[0])
        checks.curl("another host name", by_address, "CurlSSLCACert: SSL: ...", "--rapi-ca", own[0])
        checks.expect("any host name", checks.run("hinfo", "-m", by_address, "-q", "--rapi-ca", own[0], "--rapi-any-name"), 0, "")
        checks.curl("no such file of certificates", by_name, "CurlSSLCACertBadFile: ...", "--rapi-ca", "no-such-file")


def check_socket(checks):
    path = checks.work / "luxi.sock"
    words = ["-L" + str(path)]

    def told(answer, what, message, status=1, *options):
        with servers.luxi(path, answer):
            checks.expect("LUXI: " + what, checks.run("hinfo", *words, *options), status, f"{FAILED}{message}\n")
        path.unlink()

    told(lambda _: None, "hangs up", "<socket: 3>: hWaitForInput: end of file")
    told(lambda _: b"", "time-out", "user error (Timeout in reading a response)", 1, "--timeout=1")
    told(lambda _: b'{"success": tr', "half an answer, then silence", "user error (Timeout in reading a response)", 1, "--timeout=1")
    told(lambda _: b"\x03", "an empty answer",
         "Unhandled Ganeti error: Parsing LUXI response: Invalid JSON: a JSON text a serialized object or array at the top level.")
    told(lambda _: b'{"a": "\xff"}\x03', "bytes that are no text",
         "Unhandled Ganeti error: Failed to decode UTF-8, detected replacement char after decoding")
    told(lambda _: servers.encoded({"success": True}), "no result",
         "Unhandled Ganeti error: key 'result' not found, object contains only [\"success\"]")
    told(lambda _: servers.encoded({"success": True, "result": {"data": [[[0, "n"]]]}}), "another version's fields",
         "Invalid group query result: [(JSRational False (0 % 1),JSString (JSONString {fromJSString = \"n\"}))]")
    told(lambda _: servers.encoded({"success": False, "result": ["LuxiError", ["wrong version"]]}), "an exception",
         'Unhandled exception: LuxiError "wrong version"')
    told(lambda _: servers.encoded({"success": False, "result": ["OpPrereqError", ["no", "wrong_state"]]}), "an exception with a code",
         "Failure: prerequisites not met for this operation:\nerror type: ECodeState, error details:\nno")
    path.touch()
    checks.expect("LUXI: no socket", checks.run("hinfo", *words), 1,
                  f"{FAILED}Network.Socket.connect: <socket: 3>: does not exist (Connection refused)\n")
    path.unlink()
    with servers.luxi(path, lambda _: None):
        done = checks.run("hscan", *words)
        checks.expect("LUXI: hscan ends", done, 1, "hscan: <socket: 3>: hWaitForInput: end of file\n")


def check_daemons(checks):
    """Nodes are named by addresses of this machine, so that the fixed port is theirs."""
    data = checks.work / "cluster.data"
    data.write_text("g|uuid-g|preferred||\n\n127.0.0.2|1000|0|900|1000|900|4|N|uuid-g|1\n127.0.0.3|1000|0|900|1000|900|4|N|uuid-g|1\n\n"
                    "i1|100|100|1|running|Y|127.0.0.2|127.0.0.3|drbd||1\n\n\n")
    report = {"name": "cpu-avg-load", "version": "B", "format_version": 1, "timestamp": 1, "category": None, "kind": 0,
              "data": {"cpu_number": 4, "cpus": [0.5, 0.5], "cpu_total": 1.0}}
    body = json.dumps(report).encode()
    asked = []

    def daemon(handler):
        asked.append(handler.path)
        return 200, JSON, body

    words = ["-t", str(data), "--mond"]
    ignored = "Didn't receive an answer by all MonDs, cpu-avg-load's data will be ignored.\n"
    with servers.web(daemon, ("127.0.0.2", 1815)):
        checks.expect("one daemon is not there", checks.run("hinfo", *words), 0,
                      "Failed to contact node's 127.0.0.3 MonD for DC cpu-avg-load\n" + ignored)
        with servers.web(daemon, ("127.0.0.3", 1815)):
            checks.expect("both daemons answer", checks.run("hinfo", *words), 0, "")
        with servers.web(lambda _: (200, JSON, body[:-9]), ("127.0.0.3", 1815)):
            checks.expect("half a report", checks.run("hinfo", *words), 0, ignored)
        with servers.web(lambda _: (404, JSON, b"{}"), ("127.0.0.3", 1815)):
            checks.expect("no such collector", checks.run("hbal", *words, "--exit-on-missing-mond-data"), 1,
                          "Failed to contact node's 127.0.0.3 MonD for DC cpu-avg-load\n" + ignored
                          + "Error: Not all required data available\n")
    checks.problems += set(asked) != {"/1/report/default/cpu-avg-load"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="servers-") as folder:
        checks = Checks(args.bin.resolve(), pathlib.Path(folder))
        for check in (check_remote_api, check_passwords, check_credentials, check_certificates, check_socket, check_daemons):
            check(checks)
    print(f"{checks.problems} problems")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
