import { Option } from 'commander';
import { collect, outputOf, type CommandOnDirectory, type Common } from './common-options.ts';

interface FaultFlags extends Common {
  readonly filename?: string;
  readonly seed?: string;
  readonly probability?: string;
}

/** Commands of the control API: of chains that were started with --control. */
export function addControlCommands(onDirectory: CommandOnDirectory, exit: (code: number) => void): void {
  onDirectory('snapshot', 'save the whole state and put it back: save, restore, reset, list, delete, write or load')
    .argument('<action>', 'save NAME, restore NAME, reset, list, delete NAME, write NAME FILE, load FILE')
    .argument('[name]')
    .argument('[file]')
    .action(async (action: string, name: string | undefined, file: string | undefined, options: Common) => {
      const { snapshot } = await import('./control.ts');
      exit(await snapshot(options.dataDir, { action, name, file }, outputOf(options)));
    });
  onDirectory('fault', 'let requests meet faults: add, apply, chaos, list, delete, end, clear or expire-watches')
    .argument(
      '<action>',
      'add RULE (JSON, or @FILE), apply -f FILE, chaos, list, delete ID, end ID, clear, expire-watches',
    )
    .argument('[rule]')
    .option('-f, --filename <file>', 'apply: the scenario, YAML; - for standard input')
    .option('--seed <number>', 'apply, chaos: makes the choices of the run that had it (default: drawn, and printed)')
    .option('--probability <number>', 'chaos: of all requests, 0 to 1 (default: 0.1)')
    .action(async (action: string, rule: string | undefined, options: FaultFlags) => {
      const { fault } = await import('./control.ts');
      const { filename: file, probability, seed } = options;
      exit(await fault(options.dataDir, { action, rule, file, seed, probability }, outputOf(options)));
    });
  onDirectory(
    'tenant',
    'chains of their own on the port of a chain that serves the control API: create, list or delete',
  )
    .argument('<action>', 'create NAME, list, delete NAME')
    .argument('[name]')
    .action(async (action: string, name: string | undefined, options: Common) => {
      const { tenant } = await import('./control.ts');
      exit(await tenant(options.dataDir, { action, name }, outputOf(options)));
    });
  onDirectory('clock', 'tell or move the time of a chain: show, advance, set, freeze, resume or reset')
    .argument('[action]', 'show, advance DURATION (1h30m), set TIME (RFC 3339), freeze, resume, reset', 'show')
    .argument('[argument]')
    .action(async (action: string, argument: string | undefined, options: Common) => {
      const { clock } = await import('./control.ts');
      exit(await clock(options.dataDir, { action, argument }, outputOf(options)));
    });
  addJournal(onDirectory, exit);
}

type JournalFlags = Common &
  Record<'verb' | 'resource' | 'user' | 'namespace', readonly string[]> & {
    readonly bodies?: boolean;
    readonly compare?: string;
    readonly recordBodies?: 'off' | 'on' | 'secrets';
    readonly replay?: string;
    readonly since?: string;
    readonly write?: string;
  };

function addJournal(onDirectory: CommandOnDirectory, exit: (code: number) => void): void {
  onDirectory('journal', 'print what was asked, and what came of it')
    .option('--verb <verb>', 'may be repeated', collect, [])
    .option('--resource <resource>', 'pods, deployments.apps/status; may be repeated', collect, [])
    .option('--user <name>', 'may be repeated', collect, [])
    .option('--namespace <name>', 'may be repeated', collect, [])
    .option('--since <id>', 'after this entry')
    .option('--write <file>', 'write an HTTP archive (.har) or JSON lines (.jsonl) instead')
    .option('--bodies', 'with the bodies that were recorded')
    .option(
      '--compare <file>',
      'tell how the writes differ from those of a journal in JSON lines; exit code 1 if they do',
    )
    .option(
      '--replay <file>',
      'send the requests of such a file (.jsonl, with bodies) to this chain, and tell what it answers otherwise',
    )
    .addOption(
      new Option('--record-bodies <what>', 'record bodies from now on, or no longer').choices(['on', 'secrets', 'off']),
    )
    .action(async (flags: JournalFlags) => {
      exit(await runJournal(flags));
    });
}

/** Does the one thing that the flags ask for; the first of several. Resolves to the exit code. */
async function runJournal(flags: JournalFlags): Promise<number> {
  const { bodies, compare, recordBodies, replay: replayed, since, write, ...options } = flags;
  if (replayed !== undefined) {
    const { replay } = await import('./replay.ts');
    return await replay(options.dataDir, replayed, outputOf(options));
  }
  const { compareJournal, journal, journalTarget, recordBodies: record } = await import('./control.ts');
  if (recordBodies !== undefined) {
    return await record(options.dataDir, recordBodies, outputOf(options));
  }
  const { namespace, resource, user, verb } = options;
  const lists = Object.entries({ namespace, resource, user, verb }).filter(([, values]) => values.length > 0);
  const filter = {
    ...Object.fromEntries(lists),
    ...(since === undefined ? {} : { since: Number(since) }),
    ...(bodies === true ? { bodies } : {}),
  };
  if (compare !== undefined) {
    return await compareJournal(options.dataDir, { filter, file: compare }, outputOf(options));
  }
  const target = write === undefined ? undefined : journalTarget(write);
  return await journal(options.dataDir, { filter, target }, outputOf(options));
}
