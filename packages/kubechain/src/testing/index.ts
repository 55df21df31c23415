/** Entry point `kubechain/testing`: API servers for tests. */
export { startTestEnvironment } from './start-test-environment.ts';
export type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';
export type { TestUser } from './add-user.ts';
export type { Credentials, KubeConfigData } from './client-config.ts';
export { useTestEnvironment } from './use-test-environment.ts';
export type { TestHooks } from './use-test-environment.ts';
export { LaunchError, isLaunchError } from '../launch-error.ts';
export type { LaunchErrorCode } from '../launch-error.ts';
export { ChainTime } from '../control/chain-time.ts';
export { Faults } from '../control/faults.ts';
export type { BegunScenario, ChaosOptions, SetFault } from '../control/faults.ts';
export { JournalExpectationError, RequestJournal } from '../control/request-journal.ts';
export type { JournalFormat } from '../control/journal-export.ts';
export type { ValueDifference } from '../control/answer-comparison.ts';
export type { ReplayDifference, ReplayResult } from '../control/replay-traffic.ts';
export type { HotLoop, JournalFilter, Retry } from '../control/request-journal.ts';
export { Snapshots } from '../control/snapshots.ts';
export type { SavedSnapshot } from '../control/snapshots.ts';
export type {
  AppliedScenario,
  ChaosKind,
  FaultCode,
  FaultEffect,
  FaultMatch,
  FaultRule,
  PeerEffect,
  PeerKind,
  PeerMatch,
  JournalEntry,
  JournalWebhook,
  ClockState,
} from '@kubechain/apiserver/control';
export type { APIFunctionServer } from './functions/api-function-server.ts';
export type {
  APIFunctionAnswer,
  APIFunctionRequest,
  APIFunctionResource,
  APIFunctions,
} from './functions/api-functions.ts';
export type {
  AdmissionDenial,
  AdmissionRemarks,
  AdmissionRequest,
  MutatingAnswer,
  ValidatingAnswer,
} from './functions/admission-request.ts';
export type { ConversionFunction } from './functions/conversion-review.ts';
export { FunctionTimeoutError } from './functions/function-errors.ts';
export type { FunctionError } from './functions/function-errors.ts';
export type { RegisteredFunction } from './functions/functions.ts';
export type {
  AccessAnswer,
  AccessDecision,
  AccessReview,
  AuditEventLevel,
  AuditFunction,
  AuthenticateFunction,
  AuthorizeFunction,
  RightsFunctions,
  TokenUser,
} from './functions/rights.ts';
export type { AuditEvent } from '@kubechain/apiserver/control';
export { jsonPatchBetween } from './functions/json-patch-between.ts';
export type { JSONPatchOperation } from './functions/json-patch-between.ts';
export type { MutatingWebhookOptions, WebhookOptions, WebhookRule } from './functions/webhook-options.ts';
export type { Webhooks } from './functions/webhooks.ts';
export type { TestTenant } from './tenant.ts';
