import type { KubeObject } from '@kubechain/apimachinery';
import type { Condition } from '@kubechain/apimachinery/types/meta/v1';
import { withCondition } from '../controller/conditions.ts';

/**
 * What StorageVersionMigrations say, and which of them is next. Source: pkg/controller/storageversionmigrator, 1.37.
 */

/** That all objects of a resource are to be written anew, and how far that is. */
export interface StorageVersionMigration extends KubeObject {
  readonly spec?: { readonly resource?: { readonly group?: string; readonly resource?: string } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly resourceVersion?: string };
}

type Conditions = readonly Condition[];

/** `widgets.example.com`: the resource of a migration, and the name of its definition if it has one. */
export function resourceNameOf({ spec }: StorageVersionMigration): string {
  const { group = '', resource = '' } = spec?.resource ?? {};
  return `${resource}.${group}`;
}

/** One of a resource at a time: those that have ended, and the one that is begun next. */
export function nextOf(migrations: readonly StorageVersionMigration[]): {
  readonly ended: readonly StorageVersionMigration[];
  readonly next: StorageVersionMigration | undefined;
} {
  const running = migrations.filter((migration) => is(migration, 'Running'));
  const ended = running.filter(hasEnded);
  const waiting = migrations.filter((migration) => !is(migration, 'Running') && !hasEnded(migration));
  const next = ended.length < running.length ? undefined : waiting.toSorted(byAge)[0];
  return { ended, next };
}

/** Whether there is nothing more to do for it. */
export function hasEnded(migration: StorageVersionMigration): boolean {
  return is(migration, 'Succeeded') || is(migration, 'Failed');
}

/** Whether a condition is true. */
export function is({ status }: StorageVersionMigration, type: 'Running' | 'Succeeded' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

function byAge(a: StorageVersionMigration, b: StorageVersionMigration): number {
  const key = ({ metadata }: StorageVersionMigration): string =>
    `${metadata?.creationTimestamp ?? ''} ${metadata?.name ?? ''}`;
  return key(a) < key(b) ? -1 : 1;
}

/** How many of so many objects are left. */
export interface Progress {
  readonly left: number;
  readonly all: number;
  /** What stands in the way just now. */
  readonly obstacle?: string;
}

/** Is worked on, or was until now. */
export function running(conditions: Conditions | undefined, nowMs: number, progress: Progress = none): Condition[] {
  return withCondition<Condition>(
    conditions,
    { type: 'Running', status: 'True', reason: 'MigrationRunning', message: runningMessage(progress) },
    nowMs,
  );
}

/** Has succeeded. */
export function succeeded(conditions: Conditions | undefined, nowMs: number): Condition[] {
  const reason = 'StorageVersionMigrationSucceeded';
  return withCondition<Condition>(
    conditions,
    { type: 'Succeeded', status: 'True', reason, message: 'Migration completed' },
    nowMs,
  );
}

/** Has failed. */
export function failed(conditions: Conditions | undefined, nowMs: number, message: string): Condition[] {
  const reason = 'StorageVersionMigrationFailed';
  return withCondition<Condition>(conditions, { type: 'Failed', status: 'True', reason, message }, nowMs);
}

/** Is not worked on any more. */
export function completed({ metadata, status }: StorageVersionMigration, nowMs: number): Condition[] {
  return withCondition<Condition>(
    status?.conditions,
    {
      type: 'Running',
      status: 'False',
      reason: 'MigrationCompleted',
      message: 'Migration completed',
      ...(metadata?.generation === undefined ? {} : { observedGeneration: metadata.generation }),
    },
    nowMs,
  );
}

const none: Progress = { left: 0, all: 0 };

function runningMessage({ all, left, obstacle }: Progress): string {
  const count = left > 0 ? `, ${left}/${all} objects not yet migrated` : `, ${all} objects verified migrated`;
  const error = obstacle === undefined ? '' : `; transient error: ${obstacle}`;
  return `The migration is running${all === 0 ? '' : count}${error}`;
}
