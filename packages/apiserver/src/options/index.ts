/**
 * Entry point `@kubechain/apiserver/options`: flags without the server behind them, so that `--help` and launchers
 * start at once.
 */
export {
  FlagSyntaxError,
  booleanFlag,
  durationFlag,
  enumFlag,
  floatFlag,
  idleFlag,
  intFlag,
  listFlag,
  stringFlag,
} from './flag.ts';
export type { Flag, FlagStanding } from './flag.ts';
export { isLoopback } from './loopback.ts';
export { fileFlag } from './file-flag.ts';
export { readFlagFile } from './read-flag-file.ts';
export { flagSet } from './flag-set.ts';
export type { FlagSet, FlagValues } from './flag-set.ts';
export { apiServerID, isServerLease, serverLeaseLabels, serverLeaseNamespace } from './api-server-id.ts';
export { effectiveFlags } from './effective-flags.ts';
export { knownFlags, parseFlags } from './parse-flags.ts';
export type { KnownFlag, ParsedFlags } from './parse-flags.ts';
export { flagSetLines, helpText } from './help-text.ts';
export { OptionsError, unusableFlag } from './options-error.ts';
export { etcdFlags } from './etcd-flags.ts';
export { servingFlags } from './serving-flags.ts';
export { admissionFlags, authenticationFlags, authorizationFlags } from './authentication-flags.ts';
export { apiEnablementFlags, featureFlags, genericFlags } from './generic-flags.ts';
export { controlFlags, delegateFlags, delegateListenFlags, faultFlags, loggingFlags } from './process-flags.ts';
export { auditFlags } from './audit-flags.ts';
export { metricsFlags } from './metrics-flags.ts';
export { tracingFlags } from './tracing-flags.ts';
export { loggingFromFlags } from './logging-from-flags.ts';
export type { LauncherAnswer, LauncherHeard, LauncherQuestion } from './ask-launcher.ts';
export type { ChangeClockQuestion, ClockMover } from './clock-mover.ts';
export type { StartTenantsQuestion } from './tenant-starter.ts';
export { runServerProcess } from './server-process.ts';
export type { ProcessHandle } from './server-process.ts';
export { FeatureGates, effectiveGates, featureGatesOf, knownGates } from './feature-gates.ts';
export type { FeatureGate } from './feature-gates.ts';
export { effectiveVersions } from './component-versions.ts';
export { emulatedAPIsOf } from './emulated-apis.ts';
export { servedLegacyResources, servedResources } from './runtime-config.ts';
export type { ServesResource } from './runtime-config.ts';
