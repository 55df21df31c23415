/** Values beside a message; rendered as `key="value"` or as JSON members. */
export type LogFields = Readonly<Record<string, unknown>>;
export type LogFormat = 'text' | 'json';

/** Where and how log lines go; one per process. */
export interface LoggingOptions {
  /** `-v`: messages above this level are dropped. */
  readonly verbosity: number;
  /** `--vmodule`: component → level, overrides verbosity. */
  readonly components?: ReadonlyMap<string, number>;
  readonly format?: LogFormat;
  /** Takes whole lines, newline included. Default stderr. */
  readonly write?: (line: string) => void;
}

let verbosity = 0;
let components: ReadonlyMap<string, number> = new Map();
let format: LogFormat = 'text';
let write: (line: string) => void = writeToStderr;
/**
 * Grows with each configureLogging, so that loggers re-read their level lazily instead of being registered anywhere.
 */
let generation = 1;

/** Sets the log level and format of the whole process; may be called again (`/debug/flags/v`). */
export function configureLogging(options: LoggingOptions): void {
  verbosity = options.verbosity;
  components = options.components ?? new Map();
  format = options.format ?? 'text';
  write = options.write ?? writeToStderr;
  generation++;
}

/** The process-wide `-v`. */
export function logVerbosity(): number {
  return verbosity;
}

/** Changes `-v` alone. */
export function setLogVerbosity(level: number): void {
  verbosity = level;
  generation++;
}

/** Log of one component, in klog's line format or JSON. Cheap to make; levels follow configureLogging. */
export class Logger {
  readonly component: string;
  #level = 0;
  #generation = 0;

  constructor(component: string) {
    this.component = component;
  }

  /** Whether messages of `level` are written; ask before building expensive fields. */
  enabled(level: number): boolean {
    if (this.#generation !== generation) {
      this.#generation = generation;
      this.#level = components.get(this.component) ?? verbosity;
    }
    return level <= this.#level;
  }

  info(message: string, fields?: LogFields, level = 0): void {
    if (this.enabled(level)) emit('I', this.component, message, fields, level);
  }

  warning(message: string, fields?: LogFields): void {
    emit('W', this.component, message, fields, 0);
  }

  /** `error` may be anything that was thrown; its stack is written from level 4 on. */
  error(message: string, error: unknown, fields?: LogFields): void {
    const err = error instanceof Error && this.enabled(4) ? (error.stack ?? error.message) : errorText(error);
    emit('E', this.component, message, error === undefined ? fields : { err, ...fields }, 0);
  }
}

function emit(
  severity: 'I' | 'W' | 'E',
  component: string,
  message: string,
  fields: LogFields | undefined,
  level: number,
): void {
  write(
    format === 'json'
      ? jsonLine(severity, component, message, fields, level)
      : textLine(severity, component, message, fields),
  );
}

function textLine(severity: string, component: string, message: string, fields: LogFields | undefined): string {
  const iso = new Date().toISOString();
  let line = `${severity}${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)} ${String(process.pid).padStart(7)} ${component}] ${JSON.stringify(message)}`;
  if (fields !== undefined) for (const [key, value] of Object.entries(fields)) line += ` ${key}=${fieldText(value)}`;
  return `${line}\n`;
}

function jsonLine(
  severity: string,
  component: string,
  message: string,
  fields: LogFields | undefined,
  level: number,
): string {
  return `${JSON.stringify({ ts: Date.now(), ...(severity === 'I' ? { v: level } : {}), logger: component, severity, msg: message, ...fields }, (_key, value: unknown) => (value instanceof Error ? value.message : typeof value === 'bigint' ? String(value) : value))}\n`;
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

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
