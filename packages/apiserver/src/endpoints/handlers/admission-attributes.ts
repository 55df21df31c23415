import type { GroupVersionKind, GroupVersionResource, KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionObjects, AdmissionOperation } from '../../admission/admission.ts';
import { Reinvocation } from '../../admission/reinvocation.ts';
import type { UserInfo } from '../../request/user-info.ts';
import type { CallerTrace } from '../../request/caller-trace.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { RequestObservation } from '../../request/request-observation.ts';
import { ScopeObjects } from './admission-objects.ts';
import type { RequestScope } from './request-scope.ts';

export interface AttributesOptions {
  readonly operation: AdmissionOperation;
  readonly namespace: string;
  readonly name: string;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  /** Of the request. Default: some for admission alone. */
  readonly turns?: Turns;
}

/** One write as admission sees it (admission.attributesRecord). */
export class RequestAttributes implements AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly options: KubeObject | undefined;
  readonly dryRun: boolean;
  readonly #context: RequestContext;
  readonly #scope: RequestScope;
  readonly #turns: Turns | undefined;
  #reinvocation: Reinvocation | undefined = undefined;
  #objects: AdmissionObjects | undefined = undefined;

  constructor(scope: RequestScope, context: RequestContext, options: AttributesOptions) {
    this.operation = options.operation;
    this.kind = scope.kind;
    this.resource = scope.resource;
    this.subresource = scope.subresource;
    this.namespace = options.namespace;
    this.name = options.name;
    this.object = options.object;
    this.oldObject = options.oldObject;
    this.options = options.options;
    this.dryRun = options.dryRun;
    this.#context = context;
    this.#scope = scope;
    this.#turns = options.turns;
  }

  get objects(): AdmissionObjects {
    return (this.#objects ??= new ScopeObjects(this.#scope, this.#turns ?? this.#scope.work.turns(this.#context)));
  }
  get reinvocation(): Reinvocation {
    return (this.#reinvocation ??= new Reinvocation());
  }
  get user(): UserInfo {
    return this.#context.user;
  }
  get observation(): RequestObservation | undefined {
    return this.#context.observation;
  }
  get auditID(): string {
    return this.#context.auditID;
  }
  get trace(): CallerTrace | undefined {
    return this.#context.trace;
  }
  get signal(): AbortSignal {
    return this.#context.signal;
  }
  get remainingMs(): number {
    return this.#context.deadlineMs - this.#scope.clock.now();
  }
  addWarning(text: string): void {
    this.#context.addWarning(text);
  }
  addAuditAnnotation(key: string, value: string): void {
    this.#context.addAuditAnnotation(key, value);
  }
  addRequestAnnotation(key: string, value: () => string): void {
    if (this.#context.auditRecord?.wantsRequest === true) this.#context.addAuditAnnotation(key, value());
  }
}
