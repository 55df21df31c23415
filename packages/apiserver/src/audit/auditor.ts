import type { Clock, Status } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';
import { authorizationAttributes } from '../authorization/attributes.ts';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { AuditRecord } from '../request/audit-record.ts';
import { auditUser, type AuditBackend, type AuditEvent } from './audit-event.ts';
import type { TakeAuditEvents } from './audit-relay.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import { compileAuditPolicy, type AuditPolicy } from './audit-policy.ts';
import { type AuditDecision } from '../request/audit-decision.ts';
import { type AuditStage } from '../request/audit-decision.ts';

/** What an auditor is made of. */
export interface AuditorOptions {
  readonly policy: AuditPolicy;
  readonly backend: AuditBackend;
  readonly clock: Clock;
  readonly metrics: AuditMetrics;
}

/**
 * Records requests by policy. A request that is handed to another process is recorded there, and only there: that one
 * knows its objects, and the identity goes along.
 */
export class Auditor {
  readonly #decide: (attributes: AuthorizationAttributes) => AuditDecision;
  readonly #backend: AuditBackend;
  readonly #clock: Clock;
  readonly #metrics: AuditMetrics;

  constructor({ policy, backend, clock, metrics }: AuditorOptions) {
    this.#decide = compileAuditPolicy(policy);
    this.#backend = backend;
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** Decides by the authenticated user, before impersonation; undefined when nothing is to be recorded. */
  begin(attributes: AuthorizationAttributes): AuditRecord | undefined {
    const decision = this.#decide(attributes);
    this.#metrics.level(decision.level);
    return decision.level === 'None' ? undefined : new AuditRecord(decision);
  }

  /**
   * The request is answered here: tells so as soon as the answer begins for watches and the like, whose end may be
   * hours away. With a backend that holds requests up, resolves to whether the request may go on.
   */
  answeredHere(context: ServerRequestContext): Promise<boolean> | undefined {
    const { auditRecord } = context;
    const { holds = 'nothing' } = this.#backend;
    if (auditRecord === undefined || (!context.longRunning && holds === 'nothing')) return undefined;
    // The server in front has recorded it where it answers in its place.
    const taken = auditRecord.received || this.#emit(context, 'RequestReceived');
    auditRecord.received = true;
    if (context.longRunning) this.#tellStart(context);
    if (holds === 'nothing') return undefined;
    return Promise.resolve(taken).then((recorded) => {
      const goesOn = recorded || holds !== 'requests';
      if (!goesOn) this.#metrics.rejected();
      return goesOn;
    });
  }

  /** With a backend that holds answers up, the answer, a refusal as well, ends only when its events are taken. */
  holdAnswer(context: ServerRequestContext): void {
    if (context.auditRecord === undefined || (this.#backend.holds ?? 'nothing') === 'nothing') return;
    this.#holdEnd(context);
  }

  #tellStart(context: ServerRequestContext): void {
    const { response } = context;
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response;
    response.writeHead = (...args: unknown[]) => {
      const result = writeHead(...args);
      if (context.auditRecord?.started === false) void this.#emit(context, 'ResponseStarted');
      return result;
    };
  }

  #holdEnd(context: ServerRequestContext): void {
    const { response } = context;
    const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
    response.end = (...args: unknown[]) => {
      response.end = end;
      if (context.delegate !== '') return end(...args);
      void Promise.resolve(this.#complete(context)).then(() => end(...args));
      return response;
    };
  }

  /**
   * Nobody knows who asks: one event tells of the answer. Source: endpoints/filters/authentication.go
   * withFailedRequestAuditing, 1.36.
   */
  unauthenticated(context: ServerRequestContext, status: Status): void {
    const record = this.begin(authorizationAttributes(context));
    if (record === undefined) return;
    record.setResponse(status);
    context.auditRecord = record;
    void this.#emit(context, 'ResponseStarted');
    context.auditRecord = undefined;
  }

  /** Takes what a server has recorded that answers some requests in place of this one. */
  readonly recordedAside: TakeAuditEvents = (events) => {
    for (let i = 0; i < events.length; i++) this.#metrics.event();
    return this.#backend.process(events);
  };

  /** Called when the response closes. */
  readonly requestCompleted = (context: ServerRequestContext): void => {
    if (context.auditRecord === undefined || context.delegate !== '') return;
    void this.#complete(context);
  };

  close(): Promise<void> {
    return this.#backend.close();
  }

  #complete(context: ServerRequestContext): boolean | Promise<boolean> {
    const record = context.auditRecord;
    if (record === undefined || record.completed) return true;
    record.completed = true;
    if (!record.received) void this.#emit(context, 'RequestReceived');
    else if (context.longRunning && !record.started) void this.#emit(context, 'ResponseStarted');
    return this.#emit(context, 'ResponseComplete');
  }

  #emit(context: ServerRequestContext, stage: AuditStage): boolean | Promise<boolean> {
    const record = context.auditRecord;
    if (record === undefined) return true;
    if (stage === 'ResponseStarted') record.started = true;
    if (record.decision.omitStages.has(stage)) return true;
    this.#metrics.event();
    return this.#backend.process([this.#event(context, record, stage)]);
  }

  #event(context: ServerRequestContext, record: AuditRecord, stage: AuditStage): AuditEvent {
    const { request, requestInfo: info } = context;
    const received = stage === 'RequestReceived';
    const sourceIPs = sourceAddresses(request);
    const stageMs = received ? context.receivedAtMs : this.#clock.now();
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: record.decision.level,
      auditID: context.auditID,
      stage,
      requestURI: request.url ?? '',
      verb: info.verb,
      user:
        stage === 'ResponseStarted' && record.status?.code === 401
          ? {}
          : auditUser(context.impersonator ?? context.user),
      ...(context.impersonator === undefined || received ? {} : { impersonatedUser: auditUser(context.user) }),
      ...(context.impersonationConstraint === undefined || received
        ? {}
        : { authenticationMetadata: { impersonationConstraint: context.impersonationConstraint } }),
      ...(sourceIPs.length === 0 ? {} : { sourceIPs }),
      ...(request.headers['user-agent'] === undefined ? {} : { userAgent: request.headers['user-agent'] }),
      ...(info.isResourceRequest ? { objectRef: record.objectRef(context, received) } : {}),
      ...(received
        ? {}
        : { responseStatus: { ...record.statusMembers(), code: record.status?.code ?? context.response.statusCode } }),
      ...(received || record.requestObject === undefined ? {} : { requestObject: record.requestObject }),
      ...(received || record.responseObject === undefined ? {} : { responseObject: record.responseObject }),
      requestReceivedTimestamp: microTime(context.receivedAtMs),
      stageTimestamp: microTime(stageMs),
      ...(received || context.auditAnnotations === undefined
        ? {}
        : { annotations: Object.fromEntries([...context.auditAnnotations].sort(([a], [b]) => (a < b ? -1 : 1))) }),
    };
  }
}

function sourceAddresses(request: IncomingMessage): string[] {
  const forwarded = request.headers['x-forwarded-for'];
  const addresses =
    forwarded === undefined
      ? []
      : String(forwarded)
          .split(',')
          .map((address) => address.trim())
          .filter((address) => address !== '');
  const real = request.headers['x-real-ip'];
  if (typeof real === 'string' && real !== '' && !addresses.includes(real)) addresses.push(real);
  const peer = request.socket?.remoteAddress;
  if (peer !== undefined && peer !== '' && addresses.at(-1) !== peer) addresses.push(peer);
  return addresses;
}

/** RFC 3339 with six digits; the clock has three. */
function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
