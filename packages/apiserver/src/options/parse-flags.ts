import { FlagSyntaxError, type Flag } from './flag.ts';
import type { FlagSet, FlagValues } from './flag-set.ts';
import { OptionsError } from './options-error.ts';
import { showsVersion, versionFlag } from './version-flag.ts';

/** What a command line says: per flag set its values, and which flags were given at all. */
export interface ParsedFlags<S extends Readonly<Record<string, FlagSet>>> {
  readonly values: { readonly [K in keyof S]: FlagValues<S[K]> };
  /** Names of the flags on the command line, for defaults that depend on whether the user chose. */
  readonly given: ReadonlySet<string>;
  /** `--help` or `-h` was given; nothing else was checked after it. */
  readonly help: boolean;
  /** `--version` was given, which shows it; nothing else was checked after it. */
  readonly version?: 'true' | 'raw';
}

/** Flags with a letter of their own, as kube-apiserver has them. */
const shorthands: ReadonlyMap<string, string> = new Map([
  ['v', 'v'],
  ['h', 'help'],
]);

/**
 * Reads `--name=value`, `--name value`, `--switch` (booleans) and `-v 2`; `_` in names counts as `-`.
 * Arguments that are no flags are refused: the servers take none.
 * @throws OptionsError with pflag's one-line texts (`unknown flag: --x`)
 */
export function parseFlags<const S extends Readonly<Record<string, FlagSet>>>(
  argv: readonly string[],
  sets: S,
): ParsedFlags<S> {
  const flags = new Map<string, { readonly flag: Flag<unknown>; readonly values: Record<string, unknown> }>();
  const values: Record<string, Record<string, unknown>> = {};
  for (const [key, set] of Object.entries(sets)) {
    const setValues: Record<string, unknown> = (values[key] = {});
    for (const [name, flag] of Object.entries(set.flags)) {
      setValues[name] = flag.default;
      // What a server has beats what it would refuse.
      if (!flags.has(name)) flags.set(name, { flag, values: setValues });
    }
  }
  const given = new Set<string>();
  const parsed = (help: boolean): ParsedFlags<S> => ({ values: values as ParsedFlags<S>['values'], given, help });

  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    const { name, inline } = splitArgument(argument);
    if (name === 'help') return parsed(true);
    const known = flags.get(name);
    if (known === undefined)
      throw new OptionsError(
        'UnknownFlag',
        argument.startsWith('--')
          ? `unknown flag: --${name}`
          : `unknown shorthand flag: '${argument[1]}' in ${argument}`,
      );
    let text = inline;
    if (text === undefined && known.flag.isBoolean) text = 'true';
    if (text === undefined) {
      text = argv[++i];
      if (text === undefined) throw new OptionsError('MissingValue', `flag needs an argument: --${name}`);
    }
    known.values[name] = parseValue(name, known.flag, {
      text,
      previous: given.has(name) ? known.values[name] : undefined,
    });
    given.add(name);
    const value = known.values[name];
    if (known.flag === versionFlag && showsVersion(value)) return { ...parsed(false), version: value };
  }
  return parsed(false);
}

/**
 * The value of a flag whose text was given. `previous`: of an earlier occurrence.
 * @throws OptionsError with pflag's one-line text
 */
function parseValue(
  name: string,
  flag: Flag<unknown>,
  { previous, text }: { readonly text: string; readonly previous: unknown },
): unknown {
  try {
    return flag.parse(text, previous);
  } catch (error) {
    if (!(error instanceof FlagSyntaxError)) throw error;
    throw new OptionsError(
      'InvalidValue',
      `invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${error.message}`,
      { cause: error },
    );
  }
}

function splitArgument(argument: string): { readonly name: string; readonly inline: string | undefined } {
  if (argument.startsWith('--') && argument.length > 2) {
    const equals = argument.indexOf('=');
    const name = (equals < 0 ? argument.slice(2) : argument.slice(2, equals)).replaceAll('_', '-');
    return { name, inline: equals < 0 ? undefined : argument.slice(equals + 1) };
  }
  if (argument.startsWith('-') && argument.length > 1 && argument !== '--') {
    const name = shorthands.get(argument[1] ?? '') ?? '';
    const rest = argument.slice(2);
    return { name, inline: rest === '' ? undefined : rest.replace(/^=/, '') };
  }
  throw new OptionsError(
    'UnexpectedArgument',
    `unexpected argument ${JSON.stringify(argument)}: the server takes flags only`,
  );
}

/** What launchers know of a flag that they pass on. */
export interface KnownFlag {
  /** Whether it may stand without a value. */
  readonly isBoolean: boolean;
  /** @throws OptionsError for a text that the process would refuse, by itself or for the file that it names */
  check?(text: string): void;
}

/** The flags that a process knows. */
export function knownFlags(sets: Readonly<Record<string, FlagSet>>): ReadonlyMap<string, KnownFlag> {
  const known = new Map<string, KnownFlag>();
  for (const set of Object.values(sets))
    for (const [name, flag] of Object.entries(set.flags))
      if (!known.has(name))
        known.set(name, {
          isBoolean: flag.isBoolean,
          check: (text) => {
            parseValue(name, flag, { text, previous: undefined });
            flag.inspect?.(text, name);
          },
        });
  return known;
}
