import { append } from '@kubechain/apimachinery';
import type { FlagSet } from './flag-set.ts';
import type { Flag } from './flag.ts';

const indent = ' '.repeat(16);

/** Text of `--help`: usage, then the flags by concern, wrapped to `columns`. */
export function helpText(
  program: string,
  description: string,
  options: { readonly sets: Readonly<Record<string, FlagSet>>; readonly columns?: number },
): string {
  const width = Math.max((options.columns ?? 100) - indent.length, 40);
  const lines = [...wrap(description, width + indent.length), '', 'Usage:', `  ${program} [flags]`];
  for (const set of Object.values(options.sets)) append(lines, flagSetLines(set, width));
  lines.push('', '  -h, --help', `${indent}Shows this text.`, '');
  return lines.join('\n');
}

/** What help says of the flags of one concern, its heading first, wrapped to `width`; nothing where it has none. */
export function flagSetLines({ flags, title }: FlagSet, width: number): readonly string[] {
  const sorted = Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length === 0) return [];
  return ['', `${title} flags:`, '', ...sorted.flatMap(([name, flag]) => flagLines(name, flag, width))];
}

function flagLines(name: string, flag: Flag<unknown>, width: number): readonly string[] {
  const dashes = name.length === 1 ? `  -${name}, --${name}` : `      --${name}`;
  const help = flag.defaultText === '' ? flag.help : `${flag.help} (default ${flag.defaultText})`;
  return [
    flag.placeholder === '' ? dashes : `${dashes} ${flag.placeholder}`,
    ...wrap(help, width).map((line) => indent + line),
  ];
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
