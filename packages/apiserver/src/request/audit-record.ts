import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { JSONText } from './json-text.ts';
import type { AuditObjects, RequestContext } from './request-context.ts';
import { auditsAtLeast } from '../request/audit-decision.ts';
import { type AuditDecision } from '../request/audit-decision.ts';

/** What is recorded of one request while it runs. Handlers give it objects through RequestContext.auditRecord. */
export class AuditRecord implements AuditObjects {
  readonly decision: AuditDecision;
  /** Its events of these stages are written. */
  received = false;
  started = false;
  completed = false;
  /** What the answer says, where it is a Status. */
  status: Status | undefined = undefined;
  requestObject: unknown = undefined;
  responseObject: unknown = undefined;
  #metadata: KubeObject['metadata'] = undefined;

  constructor(decision: AuditDecision) {
    this.decision = decision;
  }

  get wantsRequest(): boolean {
    return auditsAtLeast(this.decision.level, 'Request');
  }
  get wantsResponse(): boolean {
    return this.decision.level === 'RequestResponse';
  }

  get omitsManagedFields(): boolean {
    return this.decision.omitManagedFields;
  }

  setRequest(object: KubeObject): void {
    this.#metadata = object.metadata;
    if (this.wantsRequest) this.requestObject = this.#withoutManagedFields(object);
  }

  setResponse(object: KubeObject | Status): void {
    if (object.kind === 'Status') this.status = object as Status;
    if (this.wantsResponse) this.responseObject = this.#withoutManagedFields(object as KubeObject);
  }

  setResponseText(text: JSONText): void {
    if (this.wantsResponse) this.responseObject = text;
  }

  statusMembers(): Pick<Status, 'metadata'> & Partial<Status> {
    const { details, message, metadata, reason, status } = this.status ?? {};
    return {
      metadata: metadata ?? {},
      ...(status === undefined ? {} : { status }),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
    };
  }

  /** What the URL says, completed by what the body says once that is read. */
  objectRef({ requestInfo: info }: Pick<RequestContext, 'requestInfo'>, received: boolean): Record<string, string> {
    const metadata = received ? undefined : this.#metadata;
    const reference: Record<string, string> = {};
    const add = (key: string, value: string | undefined): void => {
      if (value !== undefined && value !== '') reference[key] = value;
    };
    add('resource', info.resource);
    add('namespace', info.namespace || metadata?.namespace);
    add('name', info.name || metadata?.name);
    add('uid', metadata?.uid);
    add('apiGroup', info.apiGroup);
    add('apiVersion', info.apiVersion);
    add('resourceVersion', metadata?.resourceVersion);
    add('subresource', info.subresource);
    return reference;
  }

  /** A shallow copy is enough: the event is rendered before anyone changes the object. */
  #withoutManagedFields(object: KubeObject): KubeObject {
    if (!this.decision.omitManagedFields || object.metadata?.managedFields === undefined) return object;
    const { managedFields: _managedFields, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
}
