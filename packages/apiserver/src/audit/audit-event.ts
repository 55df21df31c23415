import type { Status } from '@kubechain/apimachinery';
import { JSONText } from '../request/json-text.ts';
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
  readonly authenticationMetadata?: { readonly impersonationConstraint: string };
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: Readonly<Record<string, string>>;
  readonly responseStatus?: Pick<Status, 'metadata' | 'code'> & Partial<Status>;
  readonly requestObject?: unknown;
  /** A value, or JSONText. */
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** All of it as JSON, once that is written: then its objects are in here alone. Not part of it. */
  readonly text?: EventText;
}

/** JSON in pieces, to be written one after the other. */
export type EventText = readonly (string | JSONText)[];

/** An event as JSON. An object that is there as JSON is not written anew. */
export function eventText(event: AuditEvent): EventText {
  if (event.text !== undefined) return event.text;
  const { responseObject } = event;
  if (!(responseObject instanceof JSONText)) return [JSON.stringify(event)];
  const before: Record<string, unknown> = {};
  const behind: Record<string, unknown> = {};
  let members = before;
  for (const [name, value] of Object.entries(event))
    if (name === 'responseObject') members = behind;
    else members[name] = value;
  return [
    `${JSON.stringify(before).slice(0, -1)},"responseObject":`,
    responseObject,
    Object.keys(behind).length === 0 ? '}' : `,${JSON.stringify(behind).slice(1)}`,
  ];
}

/** The same event, written: whoever hands it on need not write it again. */
export function writtenEvent(event: AuditEvent): AuditEvent {
  if (event.text !== undefined) return event;
  const { requestObject: _request, responseObject: _response, ...head } = event;
  return { ...head, text: eventText(event) };
}

/** Bytes of memory that it takes while it waits: lists that are joined of what is stored take none of their own. */
export function keptSize(text: EventText): number {
  let size = 0;
  for (const part of text) size += typeof part === 'string' ? Buffer.byteLength(part) : part.kept;
  return size;
}

/** The text piece by piece, as it is written. */
export function* textPieces(text: EventText): Generator<string | Uint8Array> {
  for (const part of text)
    if (typeof part === 'string') yield part;
    else yield* part.pieces();
}

/** Bytes of an event as JSON. */
export function textSize(text: EventText): number {
  let size = 0;
  for (const part of text) size += typeof part === 'string' ? Buffer.byteLength(part) : part.size;
  return size;
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
