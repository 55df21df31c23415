export { nextStartMs } from './cron/next-start.ts';
export { parseSchedule } from './cron/schedule.ts';
export type { CronSchedule } from './cron/schedule.ts';
export { loadLocation, TimeZone } from './cron/time-zone.ts';
export { LeaderElector } from './leader-election/leader-elector.ts';
export type { Leases } from './leader-election/leader-elector.ts';
export {
  addAmounts,
  describeAmounts,
  exceeding,
  formatAmounts,
  growth,
  maskAmounts,
  parseAmounts,
  withoutZeros,
} from './quota/amounts.ts';
export type { Amounts } from './quota/amounts.ts';
export { objectCountEvaluator, objectCountName } from './quota/quota-evaluator.ts';
export type { QuotaEvaluator, ScopeRequirement } from './quota/quota-evaluator.ts';
export { quotaEvaluators } from './quota/evaluators.ts';
export { matchesQuota, scopesOf } from './quota/matches-quota.ts';
export { aggregateContainerResources } from './resource/aggregate-resources.ts';
export { qualityOfService } from './resource/quality-of-service.ts';
export { statusOfServers } from './storage-version/status-of-servers.ts';
export type {
  ServerStorageVersion,
  StorageVersion,
  StorageVersionCondition,
} from './storage-version/storage-version.ts';
