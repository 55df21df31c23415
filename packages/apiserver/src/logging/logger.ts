import { AsyncLocalStorage } from 'node:async_hooks';

/** Values beside a message; rendered as `key="value"` or as JSON members. */
export type LogFields = Readonly<Record<string, unknown>>;
export type LogFormat = 'text' | 'json';

/** Where and how log lines go. */
export interface LoggingOptions {
  /** `-v`: messages above this level are dropped. */
  readonly verbosity: number;
  /** `--vmodule`: component → level, overrides verbosity. */
  readonly components?: ReadonlyMap<string, number>;
  readonly format?: LogFormat;
  /** Information goes to stdout, the rest to stderr; default: all to stderr. Not where `write` is given. */
  readonly splitStream?: boolean;
  /** Takes whole lines, newline included. Default stderr. */
  readonly write?: (line: string) => void;
}

/**
 * Levels, form and destination of log lines. There is one of the process; servers that share a process may have others,
 * which everything follows that is begun in `run`: what listens, waits or is called back there logs there as well.
 */
export class Logging {
  static readonly #scopes = new AsyncLocalStorage<Logging>();
  static readonly #ofProcess = new Logging({ verbosity: 0 });

  #options: LoggingOptions;
  /** Grows with each change, so that loggers read their level again instead of being registered anywhere. */
  #generation = 1;

  constructor(options: LoggingOptions) {
    this.#options = options;
  }

  /** That of who asks. */
  static get current(): Logging {
    return Logging.#scopes.getStore() ?? Logging.#ofProcess;
  }

  get generation(): number {
    return this.#generation;
  }

  /** The level that messages of components have that are not named. */
  get verbosity(): number {
    return this.#options.verbosity;
  }

  set verbosity(verbosity: number) {
    this.configure({ ...this.#options, verbosity });
  }

  get format(): LogFormat {
    return this.#options.format ?? 'text';
  }

  configure(options: LoggingOptions): void {
    this.#options = options;
    this.#generation++;
  }

  /** Calls a function whose log lines, and those of all that it begins, go here. */
  run<T>(begin: () => T): T {
    return Logging.#scopes.run(this, begin);
  }

  levelOf(component: string): number {
    return this.#options.components?.get(component) ?? this.#options.verbosity;
  }

  /** Writes one line. */
  emit(line: LogLine): void {
    const { format, splitStream = false } = this.#options;
    const { write = splitStream && line.severity === 'I' ? writeToStdout : writeToStderr } = this.#options;
    write(format === 'json' ? jsonLine(line) : textLine(line));
  }
}

/** Sets level, form and destination of whoever asks: of the process, where servers do not have their own. */
export function configureLogging(options: LoggingOptions): void {
  Logging.current.configure(options);
}

/** One message on its way out. */
interface LogLine {
  readonly severity: 'I' | 'W' | 'E';
  readonly component: string;
  readonly message: string;
  readonly fields: LogFields | undefined;
  readonly level: number;
}

/** Log of one component, in klog's line format or JSON. Cheap to make; levels follow `Logging.current`. */
export class Logger {
  readonly component: string;
  #level = 0;
  #logging: Logging | undefined = undefined;
  #generation = 0;

  constructor(component: string) {
    this.component = component;
  }

  /** Whether messages of `level` are written; ask before building expensive fields. */
  enabled(level: number): boolean {
    const logging = Logging.current;
    if (this.#logging !== logging || this.#generation !== logging.generation) {
      this.#logging = logging;
      this.#generation = logging.generation;
      this.#level = logging.levelOf(this.component);
    }
    return level <= this.#level;
  }

  info(message: string, fields?: LogFields, level = 0): void {
    if (this.enabled(level)) this.#emit('I', message, { fields, level });
  }

  warning(message: string, fields?: LogFields): void {
    this.#emit('W', message, { fields });
  }

  /** `error` may be anything that was thrown; its stack is written from level 4 on. */
  error(message: string, error: unknown, fields?: LogFields): void {
    const err = error instanceof Error && this.enabled(4) ? (error.stack ?? error.message) : errorText(error);
    this.#emit('E', message, { fields: error === undefined ? fields : { err, ...fields } });
  }

  #emit(
    severity: LogLine['severity'],
    message: string,
    { fields, level = 0 }: { readonly fields: LogFields | undefined; readonly level?: number },
  ): void {
    Logging.current.emit({ severity, component: this.component, message, fields, level });
  }
}

function textLine({ component, fields, message, severity }: LogLine): string {
  const iso = new Date().toISOString();
  let line =
    `${severity}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)} ${String(process.pid).padStart(7)} ` +
    `${component}] ${JSON.stringify(message)}`;
  if (fields !== undefined) for (const [key, value] of Object.entries(fields)) line += ` ${key}=${fieldText(value)}`;
  return `${line}\n`;
}

function jsonLine({ component, fields, level, message, severity }: LogLine): string {
  const verbosity = severity === 'I' ? { v: level } : {};
  const entry = { ts: Date.now(), ...verbosity, logger: component, severity, msg: message, ...fields };
  return `${JSON.stringify(entry, (_key, value: unknown) => plainValue(value))}\n`;
}

function plainValue(value: unknown): unknown {
  if (value instanceof Error) return value.message;
  return typeof value === 'bigint' ? String(value) : value;
}

function fieldText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return String(value);
    default:
      return value instanceof Error ? JSON.stringify(value.message) : JSON.stringify(value);
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function writeToStdout(line: string): void {
  process.stdout.write(line);
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
