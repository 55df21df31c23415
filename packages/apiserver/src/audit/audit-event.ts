import type { Status } from '@kubechain/apimachinery';
import type { UserInfo } from '../request/user-info.ts';
import type { AuditStage } from '../request/audit-decision.ts';
import type { AuditLevel } from '../request/audit-decision.ts';

/** authentication.k8s.io/v1 UserInfo. */
export interface AuditUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** audit.k8s.io/v1 Event; member order is the order in the log. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** Empty where nobody knows who asked. */
  readonly user: AuditUser | Record<string, never>;
  readonly impersonatedUser?: AuditUser;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: Readonly<Record<string, string>>;
  readonly responseStatus?: Pick<Status, 'metadata' | 'code'> & Partial<Status>;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** All of it as JSON, where another thread has written it: then its objects are in here alone. Not part of it. */
  readonly text?: string;
}

/** An event as JSON. */
export function eventText(event: AuditEvent): string {
  return event.text ?? JSON.stringify(event);
}

/**
 * How much a backend holds requests up: nothing; answers until their events are taken; also requests, which fail when
 * their arrival cannot be recorded.
 */
export type AuditHold = 'nothing' | 'answers' | 'requests';

/** Takes events. */
export interface AuditBackend {
  /** Default: nothing. */
  readonly holds?: AuditHold;
  /** Whether the events were taken, or are going to be. Must not throw, reject or block. */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Writes out what is buffered. */
  close(): Promise<void>;
}

/** A user as events show it. */
export function auditUser(user: UserInfo): AuditUser {
  return {
    username: user.name,
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  };
}
