# SPDX-License-Identifier: BSD-2-Clause
from tools import simple

OPTIONS = [["-v"], ["-v"], ["-v"], ["-q"], ["-p"], ["-pname,status,pcnt,scnt,plist,slist,peermap,ptags,idx"], ["--print-instances"],
           simple.some_node, ["--ignore-dynu"], ["--static-kvm-node-memory=7"]]
WRONG = [["extra"], ["-O", "nowhere"], ["--mond=maybe"], ["-z"], ["--print"], ["--static-kvm-node-memory=x"]]


def case(seed):
    return simple.case("hinfo", seed, OPTIONS, WRONG)
