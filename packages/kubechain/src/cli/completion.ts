import { LaunchError } from '../launch-error.ts';

/** Shells that have completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Commands with what they are for. */
export type Commands = readonly { readonly name: string; readonly description: string }[];

/** The script that completes commands and flags of `kubechain`. @throws LaunchError `Usage` for another shell */
export function completionScript(shell: string, commands: Commands, flags: readonly string[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const options = flags.map((flag) => `--${flag}`).join(' ');
  switch (SHELLS.find((known) => known === shell)) {
    case 'bash':
      return `_kubechain() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "${names}" -- "$current"))
  elif [ "\${current#-}" != "$current" ]; then COMPREPLY=($(compgen -W "${options}" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _kubechain kubechain
`;
    case 'zsh':
      return `#compdef kubechain
_kubechain() {
  local -a commands flags
  commands=(${commands.map(({ description, name }) => zshChoice(name, description)).join(' ')})
  flags=(${options})
  if (( CURRENT == 2 )); then _describe command commands
  elif [[ $words[CURRENT] == -* ]]; then compadd -- $flags
  else _files; fi
}
compdef _kubechain kubechain
`;
    case 'fish':
      return [
        'complete -c kubechain -f',
        ...commands.map(
          ({ description, name }) =>
            `complete -c kubechain -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", '’')}'`,
        ),
        ...flags.map((flag) => `complete -c kubechain -n '__fish_seen_subcommand_from up' -l ${flag}`),
        '',
      ].join('\n');
    case undefined:
      throw new LaunchError('Usage', `no completion for '${shell}': there is ${SHELLS.join(', ')}`);
  }
}

/** A choice with its description, in the words of zsh's `_describe`: a colon parts the two, quotes part choices. */
function zshChoice(name: string, description: string): string {
  return `'${name}:${description.replaceAll("'", '’').replaceAll(':', ' ')}'`;
}
