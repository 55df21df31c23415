import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '@kubechain/apimachinery/message-of';
import type { ActiveFault, AppliedScenario, ClockState, FaultRule } from '@kubechain/apiserver/control';
import { ChainTime } from '../control/chain-time.ts';
import { ControlClient } from '../control/control-client.ts';
import { chaosScenario, Faults } from '../control/faults.ts';
import { lineOf, RequestJournal, type JournalFilter } from '../control/request-journal.ts';
import { Snapshots } from '../control/snapshots.ts';
import { JOURNAL_FORMATS, type JournalFormat } from '../control/journal-export.ts';
import { TenantCalls } from '../control/tenant-calls.ts';
import { LaunchError } from '../launch-error.ts';
import { tenantKubeconfig } from '../testing/tenant-kubeconfig.ts';
import type { Output } from './output.ts';
import { shellWord } from './shell-word.ts';

/** What `kubechain snapshot ACTION [NAME] [FILE]` does. */
export const SNAPSHOT_ACTIONS = ['save', 'restore', 'reset', 'list', 'delete', 'write', 'load'] as const;

/** @throws LaunchError */
export async function snapshot(
  dataDir: string,
  call: { readonly action: string; readonly name: string | undefined; readonly file: string | undefined },
  output: Output,
): Promise<number> {
  const snapshots = new Snapshots(new ControlClient(dataDir));
  const { action, file, name } = call;
  switch (action) {
    case 'list': {
      const names = await snapshots.list();
      output.result({ snapshots: names }, () => names);
      return 0;
    }
    case 'save': {
      const saved = await snapshots.save(needed(name, 'a name'));
      output.result(saved, () => [`${saved.name}: ${saved.keys} keys at revision ${saved.revision}`]);
      return 0;
    }
    case 'delete':
      await snapshots.remove(needed(name, 'a name'));
      output.result({}, () => [`${name} deleted`]);
      return 0;
    case 'write':
      await snapshots.writeFile(needed(name, 'a name'), needed(file, 'a file'));
      output.result({ file }, () => [`${name} written to ${file}`]);
      return 0;
    case 'restore':
    case 'reset':
    case 'load': {
      const restored =
        action === 'reset'
          ? await snapshots.reset()
          : action === 'load'
            ? await snapshots.load(needed(name, 'a file'))
            : await snapshots.restore(needed(name, 'a name'));
      output.result(restored, () => [
        `${restored.written} keys written, ${restored.deleted} deleted, revision ${restored.revision}`,
      ]);
      return 0;
    }
    default:
      throw new LaunchError('Usage', `unknown action ${JSON.stringify(action)}: ${SNAPSHOT_ACTIONS.join(', ')}`);
  }
}

/** `kubechain fault` as it was called. */
export interface FaultCall {
  readonly action: string;
  readonly rule: string | undefined;
  /** Of `apply`; `-` for standard input. */
  readonly file?: string | undefined;
  /** Of `apply` and `chaos`. */
  readonly seed?: string | undefined;
  /** Of `chaos`, 0 to 1. */
  readonly probability?: string | undefined;
}

/** What `kubechain fault ACTION [RULE]` does. */
export const FAULT_ACTIONS = ['add', 'apply', 'chaos', 'list', 'delete', 'end', 'clear', 'expire-watches'] as const;

/** `rule` is JSON, or `@FILE`. @throws LaunchError */
export async function fault(dataDir: string, call: FaultCall, output: Output): Promise<number> {
  const client = new ControlClient(dataDir);
  const faults = new Faults(client);
  switch (call.action) {
    case 'add': {
      const { id } = await faults.add(readRule(needed(call.rule, 'a rule')));
      output.result({ id }, () => [`fault ${id} set`]);
      return 0;
    }
    case 'apply': {
      const file = needed(call.file ?? call.rule, 'a scenario (-f FILE)');
      const text = file === '-' ? readFileSync(0, 'utf8') : file;
      const begun = await faults.apply(text, seedOf(call));
      output.result(scenarioOf(begun), () => [`scenario ${begun.id} begun, seed ${begun.seed}`]);
      return 0;
    }
    case 'chaos': {
      const scenario = chaosScenario({ probability: Number(call.probability ?? 0.1) });
      const begun = await faults.apply(scenario, seedOf(call));
      output.result(scenarioOf(begun), () => [`scenario ${begun.id} begun, seed ${begun.seed}`]);
      return 0;
    }
    case 'end':
      await faults.removeScenario(needed(call.rule, 'the id of a scenario'));
      output.result({}, () => [`scenario ${call.rule} ended`]);
      return 0;
    case 'list': {
      const [list, scenarios] = await Promise.all([faults.list(), faults.scenarios()]);
      output.result({ faults: list, scenarios }, () => [
        ...list.map(faultLine),
        ...scenarios.map(({ faults: of, id, seed }) => `scenario ${id}  seed ${seed}  faults ${of.join(', ')}`),
      ]);
      return 0;
    }
    case 'delete':
      await client.json('DELETE', `/v1/faults/${encodeURIComponent(needed(call.rule, 'an id'))}`);
      output.result({}, () => [`fault ${call.rule} deleted`]);
      return 0;
    case 'clear':
      await faults.clear();
      output.result({}, () => ['no faults are set']);
      return 0;
    case 'expire-watches': {
      const expired = await faults.expireWatches();
      output.result({ expired }, () => [`${expired} watches ended`]);
      return 0;
    }
    default:
      throw new LaunchError('Usage', `unknown action ${JSON.stringify(call.action)}: ${FAULT_ACTIONS.join(', ')}`);
  }
}

/** What `kubechain tenant ACTION [NAME]` does. */
export const TENANT_ACTIONS = ['create', 'list', 'delete'] as const;

/** `create` writes a kubeconfig, and prints its path. @throws LaunchError */
export async function tenant(
  dataDir: string,
  { action, name }: { readonly action: string; readonly name: string | undefined },
  output: Output,
): Promise<number> {
  const tenants = new TenantCalls(new ControlClient(dataDir));
  switch (action) {
    case 'create': {
      const facts = await tenants.create(needed(name, 'a name'));
      const kubeconfig = tenantKubeconfig(dataDir, facts);
      output.result({ ...facts, kubeconfig }, () => [facts.url, `export KUBECONFIG=${shellWord(kubeconfig)}`]);
      return 0;
    }
    case 'list': {
      const all = await tenants.list();
      output.result({ tenants: all }, () => all.map((facts) => `${facts.name}  ${facts.url}`));
      return 0;
    }
    case 'delete':
      await tenants.remove(needed(name, 'a name'));
      output.result({}, () => [`${name} deleted`]);
      return 0;
    default:
      throw new LaunchError('Usage', `unknown action ${JSON.stringify(action)}: ${TENANT_ACTIONS.join(', ')}`);
  }
}

/** What `kubechain clock [ACTION] [ARGUMENT]` does. */
export const CLOCK_ACTIONS = ['show', 'advance', 'set', 'freeze', 'resume', 'reset'] as const;

/** @throws LaunchError */
export async function clock(
  dataDir: string,
  call: { readonly action: string; readonly argument: string | undefined },
  output: Output,
): Promise<number> {
  const state = await clockCall(new ChainTime(new ControlClient(dataDir)), call);
  output.result(state, () => [`${state.now}${state.frozen ? ', standing still' : ''}`]);
  return 0;
}

function clockCall(
  time: ChainTime,
  { action, argument }: { readonly action: string; readonly argument: string | undefined },
): Promise<ClockState> {
  switch (action) {
    case 'show':
      return time.state();
    case 'advance':
      return time.advance(needed(argument, 'a duration'));
    case 'set':
      return time.set(needed(argument, 'a time'));
    case 'freeze':
      return time.freeze();
    case 'resume':
      return time.resume();
    case 'reset':
      return time.reset();
    default:
      throw new LaunchError('Usage', `unknown action ${JSON.stringify(action)}: ${CLOCK_ACTIONS.join(', ')}`);
  }
}

/** Prints the requests that fit, or writes them into a file for other tools. */
export async function journal(
  dataDir: string,
  { filter, target }: { readonly filter: JournalFilter; readonly target?: JournalTarget | undefined },
  output: Output,
): Promise<number> {
  if (target !== undefined) {
    const text = await new RequestJournal(new ControlClient(dataDir)).text(target.format, filter);
    writeFileSync(target.file, text, { mode: 0o600 });
    output.result({ file: target.file }, () => [`journal written to ${target.file}`]);
    return 0;
  }
  const entries = await new RequestJournal(new ControlClient(dataDir)).find(filter);
  output.result({ entries }, () => entries.map((entry) => `${entry.receivedAt} ${lineOf(entry)}`));
  return 0;
}

/** Tells how the writes that fit differ from those of a file; 1 when they do. @throws LaunchError for a file that is none */
export async function compareJournal(
  dataDir: string,
  { file, filter }: { readonly file: string; readonly filter: JournalFilter },
  output: Output,
): Promise<number> {
  let recording: string;
  try {
    recording = readFileSync(file, 'utf8');
  } catch (error) {
    throw new LaunchError('Usage', `${file}: ${messageOf(error)}`, { cause: error });
  }
  const differences = await new RequestJournal(new ControlClient(dataDir)).differencesFrom(recording, filter);
  output.result({ differences }, () => (differences.length === 0 ? ['the writes are the same'] : differences));
  return differences.length === 0 ? 0 : 1;
}

/** From now on. */
export async function recordBodies(dataDir: string, what: 'off' | 'on' | 'secrets', output: Output): Promise<number> {
  const recording = { record: what !== 'off', secrets: what === 'secrets' };
  await new RequestJournal(new ControlClient(dataDir)).recordBodies(recording);
  output.result(recording, () => [recording.record ? 'bodies are recorded' : 'bodies are not recorded']);
  return 0;
}

/** Where a journal is written to. */
interface JournalTarget {
  readonly file: string;
  readonly format: JournalFormat;
}

/** The format is the end of the file's name. @throws LaunchError for other ends */
export function journalTarget(file: string): JournalTarget {
  const format = JOURNAL_FORMATS.find((name) => file.endsWith(`.${name}`));
  if (format === undefined) throw new LaunchError('Usage', 'the name of the file must end in .har or .jsonl');
  return { file, format };
}

function seedOf({ seed }: FaultCall): { readonly seed?: string } {
  return seed === undefined ? {} : { seed };
}

function scenarioOf({ faults, id, seed }: AppliedScenario): AppliedScenario {
  return { id, seed, faults };
}

function faultLine({ happened, id, rule }: ActiveFault): string {
  return `${id}  happened ${happened} times  ${JSON.stringify(rule)}`;
}

function readRule(text: string): FaultRule {
  const json = text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  try {
    return JSON.parse(json) as FaultRule;
  } catch (error) {
    throw new LaunchError('Usage', 'the rule is no JSON', { cause: error });
  }
}

function needed(value: string | undefined, what: string): string {
  if (value === undefined) throw new LaunchError('Usage', `${what} is needed`);
  return value;
}
