"""Shell scripts, and the words that they complete."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem, ShellComplete

from platui.cli.command_list import completion_line
from platui.cli.command_options import command
from platui.cli.completions import words_of
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.config.settings import Options

_BASH: Final = """\
# Completion of platui in bash: eval "$(platui completion bash)"
_platui() {
    local kind value help
    COMPREPLY=()
    while IFS=$'\\t' read -r kind value help; do
        case $kind in
            file) compopt -o default 2>/dev/null ;;
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
    local -a found
    while IFS=$'\\t' read -r kind value help; do
        case $kind in
            file) _files ;;
            word) found+=("${value//:/\\\\:}${help:+:$help}") ;;
        esac
    done < <("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe -t words 'platui' found
}
# The first call of a file in $fpath reads it, and has to complete as well.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _platui "$@"
else
    compdef _platui platui
fi
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
Completes commands, options, values, profiles and cached projects, without
requests to the platform.
"""


@command("completion", _EXAMPLES, more=_MORE)
@click.argument("shell", metavar="(bash | zsh | fish)", shell_complete=words_of(tuple(_SCRIPTS)))
def completion_command(_: Options, *, shell: str) -> None:
    """Print the completion script of a shell."""
    if shell not in _SCRIPTS:
        raise ConfigError("Name one shell: bash, zsh or fish.", hint="platui completion --help")
    print(_SCRIPTS[shell], end="")


class Completer(ShellComplete):
    name = "platui"

    def __init__(self, words: Sequence[str]) -> None:
        from platui.cli.group import platui  # noqa: PLC0415  (it lists this command)

        super().__init__(platui, {}, "platui", "")
        self._words = words

    def get_completion_args(self) -> tuple[list[str], str]:
        # Bash splits `--profile=prod` at "=", which becomes a word.
        words = [word for word in self._words[:-1] if word != "="]
        return words, self._words[-1] if self._words else ""

    def format_completion(self, item: CompletionItem) -> str:
        kind = "file" if item.type in {"file", "dir"} else "word"
        return completion_line(item.value, item.help, kind)
