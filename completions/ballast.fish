# SPDX-License-Identifier: BSD-2-Clause
# fish completion for every tool: the programs themselves say what their options take (--help-completion).
function __ballast_complete --argument-names tool
    for line in ($tool --help-completion 2>/dev/null)
        set -l words (string split ' ' -- $line)
        set -l kind "$words[2]"
        if string match -q 'choices=*' -- $words[1]
            complete -c $tool -f -n __fish_use_subcommand -a (string replace 'choices=' '' -- $words[1] | string replace -a ',' ' ')
            continue
        end
        string match -q -- '-*' $words[1]; or continue
        set -l forms
        for form in (string split ',' -- $words[1])
            if string match -q -- '--*' $form
                set -a forms -l (string sub -s 3 -- $form)
            else
                set -a forms -s (string sub -s 2 -- $form)
            end
        end
        switch $kind
            case none
                complete -c $tool $forms
            case file
                complete -c $tool $forms -r -F
            case dir
                complete -c $tool $forms -x -a '(__fish_complete_directories)'
            case host
                complete -c $tool $forms -x -a '(__fish_print_hostnames)'
            case 'choices=*'
                complete -c $tool $forms -x -a (string replace 'choices=' '' -- $kind | string replace -a ',' ' ')
            case '*'
                complete -c $tool $forms -x
        end
    end
end
__ballast_complete (string replace -r '\.fish$' '' -- (status basename))
