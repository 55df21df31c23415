import { flagSet, flagSetLines, type FlagSet } from '@kubechain/apiserver/options';
import { flagSetsByProcess } from '../chain/server-process.ts';
import { LaunchError } from '../launch-error.ts';
import { similarNames } from './did-you-mean.ts';
import type { Output } from './output.ts';

/** Width of help where it does not go to a terminal, in columns. */
const COLUMNS = 100;

/** Flags of one concern, of all processes that have them. */
interface Topic {
  /** As it is asked for: `secure-serving`. */
  readonly name: string;
  readonly set: FlagSet;
  /** What each process has of them. */
  readonly sets: ReadonlyMap<string, FlagSet>;
}

/**
 * Prints the topics of the flags of servers and controllers; with a topic its flags; with a flag that flag. Resolves to
 * the exit code. @throws LaunchError `Usage` for what is neither
 */
export async function flags(
  asked: string | undefined,
  { columns = COLUMNS, output }: { readonly columns?: number | undefined; readonly output: Output },
): Promise<number> {
  const topics = topicsOf(await flagSetsByProcess());
  output.result(undefined, () => (asked === undefined ? overview(topics) : linesFor(asked, topics, columns)));
  return 0;
}

/** Sets of the same title are the same concern in several processes, each with the flags that it has. */
function topicsOf(sets: ReadonlyMap<string, readonly FlagSet[]>): readonly Topic[] {
  const topics = new Map<string, Topic>();
  for (const [process, ofProcess] of sets)
    for (const one of ofProcess) {
      const { flags: more, title } = one;
      if (Object.keys(more).length === 0) continue;
      const known = topics.get(title);
      topics.set(title, {
        name: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
        set: flagSet(title, { ...known?.set.flags, ...more }),
        sets: new Map([...(known?.sets ?? []), [process, one]]),
      });
    }
  return [...topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function overview(topics: readonly Topic[]): readonly string[] {
  const width = Math.max(...topics.map(({ name }) => name.length));
  return [
    'Topics:',
    ...topics.map(({ name, set, sets }) => {
      const count = Object.keys(set.flags).length;
      const flagCount = `${String(count).padStart(2)} flag${count === 1 ? ' ' : 's'}`;
      return `  ${name.padEnd(width)}  ${flagCount}  ${[...sets.keys()].join(', ')}`;
    }),
    '',
    'kubechain flags TOPIC tells the flags of a topic, kubechain flags --NAME one flag,',
    "kubechain up --help the command's own.",
  ];
}

function linesFor(asked: string, topics: readonly Topic[], columns: number): readonly string[] {
  const width = Math.max(columns - 16, 40);
  const topic = topics.find(({ name }) => name === asked);
  if (topic !== undefined)
    return [...flagSetLines(topic.set, width).slice(1), '', `Of ${[...topic.sets.keys()].join(', ')}.`];
  const flag = asked.replace(/^--?/, '').replaceAll('_', '-');
  const home = topics.find(({ set }) => Object.hasOwn(set.flags, flag));
  if (home === undefined) throw unknown(asked, flag, topics);
  const processes = [...home.sets].flatMap(([process, { flags: own }]) => (Object.hasOwn(own, flag) ? [process] : []));
  return [
    ...flagSetLines(flagSet(home.set.title, { [flag]: home.set.flags[flag]! }), width).slice(1),
    '',
    `Of ${processes.join(', ')}.`,
  ];
}

function unknown(asked: string, flag: string, topics: readonly Topic[]): LaunchError {
  const names = [
    ...topics.map(({ name }) => name),
    ...topics.flatMap(({ set }) => Object.keys(set.flags).map((name) => `--${name}`)),
  ];
  const parts = names.filter((name) => flag.length > 2 && name.includes(flag)).slice(0, 5);
  const meant = [...new Set([...similarNames(asked, names), ...similarNames(`--${flag}`, names), ...parts])];
  return new LaunchError(
    'Usage',
    `there is no topic or flag ${JSON.stringify(asked)}` +
      (meant.length === 0 ? '; kubechain flags lists the topics' : `; did you mean ${meant.join(', ')}?`),
  );
}
