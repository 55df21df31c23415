import { append, messageOf } from '@kubechain/apimachinery';
import type { KnownFlag } from '@kubechain/apiserver/options';
import { LaunchError } from '../launch-error.ts';
import type { KnownFlags } from './server-process.ts';

/** A flag as it stood on the command line. */
export interface GivenFlag {
  readonly name: string;
  /** The argument or arguments, to be passed on as they are. */
  readonly arguments: readonly string[];
}

/** The value of a flag with one, as it stood last; undefined when it was not given. */
export function lastValue(given: readonly GivenFlag[], name: string): string | undefined {
  return given
    .findLast((flag) => flag.name === name)
    ?.arguments.at(-1)
    ?.replace(/^--[^=]*=/, '');
}

/** Letters that kube-apiserver's commands take. */
const SHORTHANDS: ReadonlyMap<string, string> = new Map([
  ['v', 'v'],
  ['h', 'help'],
]);

/**
 * Takes a command line apart by what any of the servers knows. Values are looked at by all that know the flag, so that
 * a wrong one is told before anything is started.
 * @throws LaunchError `Usage` in the words of the servers' own parser
 */
export function readServerFlags(
  args: readonly string[],
  servers: Iterable<{ readonly flags: KnownFlags }>,
): GivenFlag[] {
  const known = new Map<string, KnownFlag[]>();
  for (const { flags } of servers)
    for (const [name, flag] of flags) known.set(name, [...(known.get(name) ?? []), flag]);
  const given: GivenFlag[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const name = nameOf(argument);
    const flags = known.get(name);
    if (flags === undefined)
      throw new LaunchError(
        'Usage',
        argument.startsWith('--')
          ? `unknown flag: --${name}`
          : `unknown shorthand flag: '${argument[1] ?? ''}' in ${argument}`,
      );
    const isBoolean = flags.some((flag) => flag.isBoolean);
    const inline = inlineOf(argument);
    if (inline !== undefined || isBoolean) {
      checkValue(flags, inline ?? 'true');
      given.push({ name, arguments: [argument] });
      continue;
    }
    const value = args[++index];
    if (value === undefined) throw new LaunchError('Usage', `flag needs an argument: --${name}`);
    checkValue(flags, value);
    given.push({ name, arguments: [argument, value] });
  }
  return given;
}

/** Defaults that are left out where the user gives another flag, which cannot stand beside them. */
const replacedBy: ReadonlyMap<string, string> = new Map([['authorization-mode', 'authorization-config']]);

/** What a server gets: the defaults that the user did not set, then what the user gave, of both only what it knows. */
export function flagsFor(
  server: { readonly flags: KnownFlags },
  defaults: ReadonlyMap<string, string>,
  given: readonly GivenFlag[],
): string[] {
  const chosen = new Set(given.map(({ name }) => name));
  const result: string[] = [];
  for (const [name, value] of defaults)
    if (!chosen.has(name) && !chosen.has(replacedBy.get(name) ?? '') && server.flags.has(name))
      result.push(`--${name}=${value}`);
  for (const flag of given) if (server.flags.has(flag.name)) append(result, flag.arguments);
  return result;
}

/** The value that stands in the argument itself, if one does: `--v=2`, `-v2`. */
function inlineOf(argument: string): string | undefined {
  const equals = argument.indexOf('=');
  if (argument.startsWith('--')) return equals < 0 ? undefined : argument.slice(equals + 1);
  return argument.length > 2 ? argument.slice(2).replace(/^=/, '') : undefined;
}

function checkValue(flags: readonly KnownFlag[], text: string): void {
  try {
    for (const flag of flags) flag.check?.(text);
  } catch (error) {
    throw new LaunchError('Usage', messageOf(error), { cause: error });
  }
}

function nameOf(argument: string): string {
  if (argument.startsWith('--') && argument.length > 2) return argument.slice(2).split('=', 1)[0]!.replaceAll('_', '-');
  if (argument.startsWith('-') && argument.length > 1 && argument !== '--') return SHORTHANDS.get(argument[1]!) ?? '';
  throw new LaunchError('Usage', `unexpected argument ${JSON.stringify(argument)}`);
}
