/** Entry point `@kubechain/apiserver/control`: what only tests may do to a chain. */
export type { AuditEvent } from '../audit/audit-event.ts';
export type { ClockState } from './clock-call.ts';
export type { BodyRecording, JournalBody } from './body-recorder.ts';
export { answerControlCall } from './control-api.ts';
export type { ControlAnswer, ControlCall } from './control-call.ts';
export { Control } from './control.ts';
export { controlAddress } from './control-address.ts';
export { ControlListener } from './control-listener.ts';
export type { AppliedScenario } from './fault-scenarios.ts';
export type { ChaosKind, FaultCode, FaultEffect, FaultMatch, FaultRule, PeerMatch } from './fault-rule.ts';
export type { ActiveFault } from './fault-set.ts';
export type { JournalEntry, JournalWebhook } from './journal.ts';
export type { WatchState } from './open-watches.ts';
export { TenantsListener } from './tenants-listener.ts';
export { TenantError, type TenantFacts, type TenantKeeper } from './tenant-keeper.ts';
export type { StoredKey, StoredVersion } from './store-browser.ts';
export type { PeerEffect, PeerKind } from '../peers/peer-call.ts';
export { withoutFaults } from '../peers/faulty-etcd-client.ts';
