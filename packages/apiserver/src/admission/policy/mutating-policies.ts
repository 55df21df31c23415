import { StatusError, equalJSON, goQuote, isStatusError, messageOf } from '@kubechain/apimachinery';
import type { JSONValue, KubeObject, StatusReason } from '@kubechain/apimachinery';
import { LargeObjectError } from '../../request/side-server.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { admissionForbidden } from '../admission-error.ts';
import { versionedObjects } from '../cel/admission-request.ts';
import type { RequestForm, VersionedObjects } from '../cel/admission-request.ts';
import { Reinvoked } from '../reinvoked.ts';
import { checkTime, handlesAll, type HookFeed } from '../webhook/webhook-plugin.ts';
import { formKey, invocationsOf, namespaceObjectOf } from './invocations.ts';
import type { Invocation, PolicyOptions } from './invocations.ts';
import type { MutatingPolicy } from './mutating-policy.ts';
import { policiesFor } from './policies-for.ts';
import type { PolicyHook } from './policy-source.ts';
import type { MutatingPolicySpec } from './stored-policy.ts';

type Hook = PolicyHook<MutatingPolicySpec, MutatingPolicy>;

export interface MutatingPolicyOptions extends PolicyOptions {
  readonly source: HookFeed<PolicyHook<MutatingPolicySpec, MutatingPolicy>>;
}

interface PolicyFailure {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly text: string;
  readonly reason: StatusReason | undefined;
}

/** Lets MutatingAdmissionPolicies change objects, one after the other (policy/mutating/dispatcher.go, 1.36). */
export class MutatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionPolicy';
  readonly handles = handlesAll;
  readonly #options: MutatingPolicyOptions;

  constructor(options: MutatingPolicyOptions) {
    this.#options = options;
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const hooks = policiesFor(attributes, this.#options.source);
    if (hooks instanceof Promise) return hooks.then((known) => this.#admit(attributes, known));
    return hooks.length === 0 ? undefined : this.#admit(attributes, hooks);
  }

  async #admit(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const failures: PolicyFailure[] = [];
    const due: { readonly hook: Hook; readonly invocation: Invocation & { kind: 'apply' } }[] = [];
    const failed = ({ name, spec }: Hook, failure: Omit<PolicyFailure, 'policy'>): void => {
      if (spec.failurePolicy !== 'Ignore') failures.push({ ...failure, policy: name });
    };
    for (const hook of hooks) {
      for (const invocation of await invocationsOf(hook, attributes, this.#options)) {
        if (invocation.kind === 'apply') due.push({ hook, invocation });
        else failed(hook, { binding: invocation.binding, text: invocation.text, reason: undefined });
      }
    }
    if (due.length > 0) {
      const run = await MutatingRun.begin(attributes, this.#options);
      for (const { hook, invocation } of due) {
        for (const params of invocation.params) {
          checkTime(attributes);
          for (const text of await run.apply(hook, invocation, params))
            failed(hook, { binding: invocation.binding.name, text, reason: 'Invalid' });
        }
      }
      await run.end();
    }
    if (failures.length > 0) throw denied(attributes, failures);
  }
}

/** One pass of all policies over one request. */
class MutatingRun {
  readonly #attributes: AdmissionAttributes;
  readonly #options: MutatingPolicyOptions;
  readonly #namespace: object | null;
  readonly #applied: Reinvoked;
  readonly #versions = new Map<string, VersionedObjects>();
  #last: { readonly object: KubeObject } | undefined;

  private constructor(
    attributes: AdmissionAttributes,
    options: MutatingPolicyOptions,
    { applied, namespace }: { readonly applied: Reinvoked; readonly namespace: object | null },
  ) {
    this.#attributes = attributes;
    this.#options = options;
    this.#applied = applied;
    this.#namespace = namespace;
  }

  static async begin(attributes: AdmissionAttributes, options: MutatingPolicyOptions): Promise<MutatingRun> {
    const applied = Reinvoked.of(attributes, 'MutatingAdmissionPolicy');
    if (attributes.reinvocation.again && (await applied.differs(attributes))) applied.changed();
    return new MutatingRun(attributes, options, {
      applied,
      namespace: await namespaceObjectOf(attributes, options.namespaces),
    });
  }

  /** Applies a policy's mutations: what failed of them. @throws StatusError for objects that cannot be read any more */
  async apply(
    { evaluator, name, spec }: Hook,
    { binding, form }: Invocation & { kind: 'apply' },
    params: object | null,
  ): Promise<readonly string[]> {
    const attributes = this.#attributes,
      { authorizer } = this.#options;
    const { conditions, mutations } = await evaluator.make(() => attributes.objects.rest());
    let objects = await this.#objectsIn(form);
    const before = objects.object;
    if (!conditions.empty) {
      const result = conditions.match({ attributes, objects, params, authorizer });
      if (result.kind !== 'met') return result.kind === 'error' ? [result.text] : [];
    }
    const key = keyOf(name, binding.name, params);
    if (attributes.reinvocation.again && !this.#applied.isDue(key)) return [];
    const failures: string[] = [];
    const { observation } = attributes;
    const startedAt = observation?.begin('policy', name) ?? 0;
    for (const mutation of mutations) {
      if (objects.object === null) break;
      await attributes.objects.rest();
      try {
        const changed = mutation.apply(
          { attributes, objects, namespace: this.#namespace, params, authorizer },
          attributes.objects.schemaOf(form.kind),
        );
        objects = await this.#read(objects, changed);
      } catch (error) {
        // What was made too large for this thread is made once more by another one.
        if (isStatusError(error) || error instanceof LargeObjectError) throw error;
        failures.push(messageOf(error));
      }
    }
    this.#versions.set(formKey(form), objects);
    observation?.add('policy', name, startedAt, failures.length === 0 ? 'passed' : failures.join('; '));
    if (observation?.deep === true && before !== objects.object)
      observation.changed(`policy ${name}`, JSON.stringify(before), JSON.stringify(objects.object));
    if (!equalJSON(before as JSONValue, objects.object as JSONValue)) this.#changed();
    if (spec.reinvocationPolicy === 'IfNeeded') this.#applied.hadTurn(key);
    return failures;
  }

  /** Hands the object on as the last policy left it. */
  async end(): Promise<void> {
    if (this.#last !== undefined) {
      this.#attributes.object = this.#last.object;
      this.#changed();
    }
    if (!this.#applied.empty) await this.#applied.leave(this.#attributes);
  }

  #changed(): void {
    this.#applied.changed();
    this.#attributes.reinvocation.ask();
  }

  /** Reads a changed object as a request's body is read, with defaults. */
  async #read(objects: VersionedObjects, changed: JSONValue): Promise<VersionedObjects> {
    const { objects: converter } = this.#attributes;
    const object = await converter.read(changed, objects.form.kind);
    this.#last = { object };
    const shown = await versionedObjects(
      { ...this.#attributes, objects: converter, object, oldObject: undefined },
      objects.form,
    );
    return { ...objects, object: shown.object };
  }

  async #objectsIn(form: RequestForm): Promise<VersionedObjects> {
    const key = formKey(form);
    let objects = this.#versions.get(key);
    if (objects === undefined) this.#versions.set(key, (objects = await versionedObjects(this.#attributes, form)));
    // The same objects may be those of another version of the resource (autoscaling/v1 Scale of each).
    return { ...objects, form };
  }
}

function keyOf(policy: string, binding: string, params: object | null): string {
  const { name = '', namespace = '' } = (params as KubeObject | null)?.metadata ?? {};
  return JSON.stringify([policy, binding, namespace, name]);
}

function denied(attributes: AdmissionAttributes, failures: readonly PolicyFailure[]): StatusError {
  const messages = failures.map(({ binding, policy, text }) =>
    binding === undefined
      ? `policy ${goQuote(policy)} denied request: ${text}`
      : `policy '${policy}' with binding '${binding}' denied request: ${text}`,
  );
  const { details } = admissionForbidden(attributes, '').status;
  return new StatusError({
    status: 'Failure',
    code: 403,
    reason: failures[0]?.reason ?? 'Forbidden',
    message: messages[0] ?? '',
    details: { ...details, causes: messages.map((message) => ({ message })) },
  });
}
