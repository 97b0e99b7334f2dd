"""`platui completion`: what a shell needs to complete words, which it asks for at each tab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.exits import Exit
from platui.cli.list_options import words_of
from platui.cli.manner import epilog
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

_BASH: Final = """\
# Completion of platui in bash: eval "$(platui completion bash)"
_platui() {
    local kind value help
    COMPREPLY=()
    while IFS=$'\\t' read -r kind value help; do
        case $kind in
            file) compopt -o default 2>/dev/null ;;
            part) compopt -o nospace 2>/dev/null; COMPREPLY+=("$value") ;;
            word) COMPREPLY+=("$value") ;;
        esac
    done < <("${COMP_WORDS[0]}" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _platui platui
"""

_ZSH: Final = """\
#compdef platui
# Completion of platui in zsh: source <(platui completion zsh), behind compinit
_platui() {
    local kind value help
    local -a found parts
    while IFS=$'\\t' read -r kind value help; do
        case $kind in
            file) _files ;;
            part) parts+=("$value") ;;
            word) found+=("${value//:/\\\\:}${help:+:$help}") ;;
        esac
    done < <("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe -t words 'platui' found
    (( $#parts )) && compadd -S '' -- "${parts[@]}"
}
compdef _platui platui
"""

_FISH: Final = """\
# Completion of platui in fish: platui completion fish | source
function __platui_words
    set -l given (commandline -opc)
    set -l begin (commandline -ct)
    $given[1] completion words $given[2..-1] "$begin" 2>/dev/null \\
    | while read -l -d \\t kind value help
        switch $kind
            case file
                __fish_complete_path "$begin"
            case '*'
                printf '%s\\t%s\\n' $value $help
        end
    end
end
complete -c platui -f -a '(__platui_words)'
"""

_SCRIPTS: Final[Mapping[str, str]] = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}

_EXAMPLES: Final = """
completion bash >> ~/.bashrc
completion zsh > "${fpath[1]}/_platui"
completion fish > ~/.config/fish/completions/platui.fish
"""
_MORE: Final = """\b
Commands, options and their values are completed, profiles, and the projects
that were listed before: nothing is asked of a platform.
"""


@click.command(
    "completion",
    epilog=epilog(Exit.DONE, Exit.USAGE, examples=_EXAMPLES, more=_MORE),
)
@click.argument("shell", metavar="(bash | zsh | fish)", shell_complete=words_of(tuple(_SCRIPTS)))
def completion_command(*, shell: str) -> int:
    """Print what a shell evaluates to complete what is typed behind platui."""
    if shell not in _SCRIPTS:
        raise ConfigError("Name one shell: bash, zsh or fish.", hint="platui completion --help")
    print(_SCRIPTS[shell], end="")
    return 0
