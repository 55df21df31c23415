import { forbiddenValue, notSupported, type FieldError, type FieldPath } from '@kubechain/apimachinery';

const realtime = Array.from({ length: 15 }, (_, i) => i + 1);
const linux = [
  ...'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT'.split(' '),
  ...'SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX'.split(' '),
  ...realtime.map((n) => `RTMIN+${n}`),
  ...realtime.slice(0, -1).map((n) => `RTMAX-${n}`),
]
  .map((name) => `SIG${name}`)
  .sort();
const signals: Readonly<Record<string, readonly string[]>> = { linux, windows: ['SIGKILL', 'SIGTERM'] };

/** The signal that ends a container: one of its operating system (validateStopSignal of pkg/apis/core/validation). */
export function validateStopSignal(signal: string, path: FieldPath, os: string | undefined): FieldError[] {
  if (os === undefined) return [forbiddenValue(path, 'may not be set for containers with empty `spec.os.name`')];
  const known = signals[os];
  return known === undefined || known.includes(signal) ? [] : [notSupported(path, signal, known)];
}
