import { formatDuration, parseDuration } from './duration.ts';

/** What a flag does: something, or nothing because there is nothing for it to do. */
export type FlagStanding = 'works' | 'idle';

/** One command-line flag: how its text becomes a value, and what `--help` says of it. Immutable. */
export interface Flag<T> {
  /** Default: works. */
  readonly standing?: FlagStanding;
  /** Value when the flag is not given. */
  readonly default: T;
  readonly help: string;
  /** Type name shown in help, e.g. `string`, `int`, `duration`; '' for booleans. */
  readonly placeholder: string;
  /** Default as help shows it; '' shows none. */
  readonly defaultText: string;
  /** May be given without a value. */
  readonly isBoolean: boolean;
  /**
   * The value of `text`; `previous` is the value of an earlier occurrence, for flags that may be repeated.
   * @throws FlagSyntaxError with the reason alone; the parser adds the flag's name.
   */
  parse(text: string, previous: T | undefined): T;
  /**
   * Looks at what a text that `parse` takes stands for, for launchers that tell mistakes before they start anything.
   * @throws OptionsError as the process does once it gets to it
   */
  inspect?(text: string, name: string): void;
}

/** Why a text is no value of a flag; never leaves the parser. */
export class FlagSyntaxError extends Error {
  override readonly name = 'FlagSyntaxError';
}

/** Narrows what a flag accepts: returns the reason of a refusal, or undefined. */
export type Check<T> = (value: T) => string | undefined;

/** A flag with a free text. */
export function stringFlag(help: string, defaultValue = '', check?: Check<string>): Flag<string> {
  return {
    default: defaultValue,
    help,
    placeholder: 'string',
    defaultText: defaultValue === '' ? '' : JSON.stringify(defaultValue),
    isBoolean: false,
    parse: (text) => checked(text, check),
  };
}

/** A flag with one of a few texts. */
export function enumFlag<const T extends string>(help: string, defaultValue: T, values: readonly T[]): Flag<T> {
  return {
    default: defaultValue,
    help: `${help} One of: ${values.join(', ')}.`,
    placeholder: 'string',
    defaultText: JSON.stringify(defaultValue),
    isBoolean: false,
    parse(text) {
      const value = values.find((candidate) => candidate === text);
      if (value === undefined) throw new FlagSyntaxError(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

/** A flag that is on or off: `--flag`, `--flag=false`. */
export function booleanFlag(help: string, defaultValue = false): Flag<boolean> {
  return {
    default: defaultValue,
    help,
    placeholder: '',
    defaultText: defaultValue ? 'true' : '',
    isBoolean: true,
    parse(text) {
      if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
      if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
      throw new FlagSyntaxError(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
    },
  };
}

/** A flag with a whole number. */
export function intFlag(help: string, defaultValue = 0, check?: Check<number>): Flag<number> {
  return {
    default: defaultValue,
    help,
    placeholder: 'int',
    defaultText: defaultValue === 0 ? '' : String(defaultValue),
    isBoolean: false,
    parse(text) {
      const value = Number(text);
      if (!/^[+-]?\d+$/.test(text))
        throw new FlagSyntaxError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
      if (!Number.isSafeInteger(value))
        throw new FlagSyntaxError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
      return checked(value, check);
    },
  };
}

/** A flag with a number that may have a fraction. */
export function floatFlag(help: string, defaultValue = 0, check?: Check<number>): Flag<number> {
  return {
    default: defaultValue,
    help,
    placeholder: 'float',
    defaultText: defaultValue === 0 ? '' : String(defaultValue),
    isBoolean: false,
    parse(text) {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value))
        throw new FlagSyntaxError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
      return checked(value, check);
    },
  };
}

/** A flag with a Go duration (`1m30s`); the value is milliseconds. */
export function durationFlag(help: string, defaultMs = 0, check?: Check<number>): Flag<number> {
  return {
    default: defaultMs,
    help,
    placeholder: 'duration',
    defaultText: defaultMs === 0 ? '' : formatDuration(defaultMs),
    isBoolean: false,
    parse(text) {
      const value = parseDuration(text);
      if (value === undefined) throw new FlagSyntaxError(`time: invalid duration ${JSON.stringify(text)}`);
      return checked(value, check);
    },
  };
}

/** A flag with a comma-separated list that may be given several times; the parts are joined. */
export function listFlag(
  help: string,
  defaultValue: readonly string[] = [],
  check?: Check<readonly string[]>,
): Flag<readonly string[]> {
  return {
    default: defaultValue,
    help,
    placeholder: 'strings',
    defaultText: defaultValue.length === 0 ? '' : `[${defaultValue.join(',')}]`,
    isBoolean: false,
    parse: (text, previous) => checked([...(previous ?? []), ...(text === '' ? [] : text.split(','))], check),
  };
}

/** A flag that may be given several times; each value is kept whole, commas included. */
export function arrayFlag(
  help: string,
  defaultValue: readonly string[] = [],
  check?: Check<readonly string[]>,
): Flag<readonly string[]> {
  return {
    default: defaultValue,
    help,
    placeholder: 'stringArray',
    defaultText: defaultValue.length === 0 ? '' : `[${defaultValue.join(',')}]`,
    isBoolean: false,
    parse: (text, previous) => checked([...(previous ?? []), text], check),
  };
}

/**
 * A flag with `key=value` pairs, separated by commas or given several times (`--runtime-config`, `--feature-gates`). A
 * key without a value is `true`.
 */
export function mapFlag(help: string, check?: Check<ReadonlyMap<string, string>>): Flag<ReadonlyMap<string, string>> {
  return {
    default: new Map(),
    help,
    placeholder: 'mapStringString',
    defaultText: '',
    isBoolean: false,
    parse(text, previous) {
      const pairs = new Map(previous);
      for (const part of text.split(',')) {
        if (part.trim() === '') continue;
        const equals = part.indexOf('=');
        pairs.set(
          (equals < 0 ? part : part.slice(0, equals)).trim(),
          equals < 0 ? 'true' : part.slice(equals + 1).trim(),
        );
      }
      return checked(pairs, check);
    },
  };
}

/** The same flag, which is taken for the sake of command lines made for kube-apiserver, and does nothing. */
export function idleFlag<T>(flag: Flag<T>): Flag<T> {
  return { ...flag, standing: 'idle' };
}

function checked<T>(value: T, check: Check<T> | undefined): T {
  const reason = check?.(value);
  if (reason !== undefined) throw new FlagSyntaxError(reason);
  return value;
}
