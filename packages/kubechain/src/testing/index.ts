/** Entry point `kubechain/testing`: API servers for tests. */
export { startTestEnvironment } from './test-environment.ts';
export type { TestEnvironment, TestEnvironmentOptions } from './test-environment.ts';
export type { TestUser } from './add-user.ts';
export type { Credentials, KubeConfigData } from './client-config.ts';
export { useTestEnvironment } from './use-test-environment.ts';
export type { TestHooks } from './use-test-environment.ts';
export { LaunchError, isLaunchError } from '../launch-error.ts';
export type { LaunchErrorCode } from '../launch-error.ts';
export { Faults } from '../control/faults.ts';
export type { SetFault } from '../control/faults.ts';
export { JournalExpectationError, RequestJournal } from '../control/request-journal.ts';
export type { HotLoop, JournalFilter } from '../control/request-journal.ts';
export { Snapshots } from '../control/snapshots.ts';
export type { SavedSnapshot } from '../control/snapshots.ts';
export type { FaultCode, FaultEffect, FaultMatch, FaultRule, JournalEntry } from '@kubechain/apiserver/control';
