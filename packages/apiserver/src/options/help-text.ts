import type { FlagSet } from './flag-set.ts';

const indent = ' '.repeat(16);

/** Text of `--help`: usage, then the flags by concern, wrapped to `columns`. */
export function helpText(
  program: string,
  description: string,
  options: { readonly sets: Readonly<Record<string, FlagSet>>; readonly columns?: number },
): string {
  const width = Math.max((options.columns ?? 100) - indent.length, 40);
  const lines = [...wrap(description, width + indent.length), '', 'Usage:', `  ${program} [flags]`];
  for (const set of Object.values(options.sets)) {
    const flags = Object.entries(set.flags).sort(([a], [b]) => (a < b ? -1 : 1));
    if (flags.length === 0) continue;
    lines.push('', `${set.title} flags:`, '');
    for (const [name, flag] of flags) {
      const dashes = name.length === 1 ? `  -${name}, --${name}` : `      --${name}`;
      lines.push(flag.placeholder === '' ? dashes : `${dashes} ${flag.placeholder}`);
      const help = flag.defaultText === '' ? flag.help : `${flag.help} (default ${flag.defaultText})`;
      for (const line of wrap(help, width)) lines.push(indent + line);
    }
  }
  lines.push(
    '',
    '  -h, --help',
    `${indent}Shows this text.`,
    '      --version',
    `${indent}Shows the version; --version=raw all that is known of it.`,
    '',
  );
  return lines.join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
