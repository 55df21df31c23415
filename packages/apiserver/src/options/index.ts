/**
 * Entry point `@kubechain/apiserver/options`: flags without the server behind them, so that `--help` and launchers
 * start at once.
 */
export { booleanFlag, durationFlag, enumFlag, floatFlag, intFlag, listFlag, stringFlag } from './flag.ts';
export type { Flag } from './flag.ts';
export { flagSet } from './flag-set.ts';
export type { FlagSet, FlagValues } from './flag-set.ts';
export { effectiveFlags } from './effective-flags.ts';
export { knownFlags, parseFlags } from './parse-flags.ts';
export type { ParsedFlags } from './parse-flags.ts';
export { helpText } from './help-text.ts';
export { OptionsError, unusableFlag } from './options-error.ts';
export { etcdFlags } from './etcd-flags.ts';
export { servingFlags } from './serving-flags.ts';
export { admissionFlags, authenticationFlags, authorizationFlags } from './authentication-flags.ts';
export { apiEnablementFlags, featureFlags, genericFlags } from './generic-flags.ts';
export { auditFlags, controlFlags, delegateFlags, delegateListenFlags, loggingFlags } from './process-flags.ts';
export { loggingFromFlags } from './logging-from-flags.ts';
export type { ChangeClockMessage, ClockChangedMessage, ClockMover } from './clock-mover.ts';
export { runServerProcess } from './server-process.ts';
export type { ProcessHandle } from './server-process.ts';
export { featureEnabled } from './feature-gates.ts';
