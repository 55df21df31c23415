import type { KubeObject } from '@kubechain/apimachinery';
import { unlessAnswered } from '../json-client.ts';
import { AdmissionProbe, probeLabel } from './admission-probe.ts';
import type { AdmissionRequest, MutatingAnswer, ValidatingAnswer } from './admission-request.ts';
import { admissionRequest, admissionResponse } from './admission-response.ts';
import { conversionAnswer, conversionCall, failedConversion, type ConversionFunction } from './conversion-review.ts';
import type { FunctionAnswer, FunctionCall } from './function-server.ts';
import { registrationOf, type Functions, type RegisteredFunction } from './functions.ts';
import { webhookOf, type MutatingWebhookOptions, type WebhookOptions } from './webhook-options.ts';

interface Admission {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly resource: string;
  readonly options: MutatingWebhookOptions;
  readonly answer: (request: AdmissionRequest, call: { readonly signal: AbortSignal }) => unknown;
}

/** Webhooks that are functions of a test. */
export class Webhooks {
  readonly #functions: Functions;

  constructor(functions: Functions) {
    this.#functions = functions;
  }

  /**
   * Lets a function change objects, or refuse them. All servers call it when this resolves.
   *
   *     await using hook = await env.webhooks.mutating<V1Pod>({ rules: [{ resources: ['pods'] }] }, ({ object }) => {
   *       object.spec!.hostname = 'a';
   *       return { object };
   *     });
   * @param answer its exceptions are the test's, the client gets 500 in the reference's words
   */
  mutating<T = KubeObject>(
    options: MutatingWebhookOptions,
    answer: (
      request: AdmissionRequest<T>,
      call: { readonly signal: AbortSignal },
    ) => MutatingAnswer | Promise<MutatingAnswer>,
  ): Promise<RegisteredFunction> {
    const registeredAt = registrationOf('a mutating webhook');
    const { resource, kind } = configurations.mutating;
    return this.#admission({ kind, resource, options, answer: answer as Admission['answer'] }, registeredAt);
  }

  /** The same for a function that only says yes or no. */
  validating<T = KubeObject>(
    options: WebhookOptions,
    answer: (
      request: AdmissionRequest<T>,
      call: { readonly signal: AbortSignal },
    ) => ValidatingAnswer | Promise<ValidatingAnswer>,
  ): Promise<RegisteredFunction> {
    const registeredAt = registrationOf('a validating webhook');
    const { resource, kind } = configurations.validating;
    return this.#admission({ kind, resource, options, answer: answer as Admission['answer'] }, registeredAt);
  }

  /**
   * Makes a function the conversion webhook of a CRD, until it is removed: then the CRD has the conversion again that
   * it had before. The function gets each object by itself and answers it in the version that is wanted; it may be
   * async.
   */
  conversion(definition: string, convert: ConversionFunction): Promise<RegisteredFunction> {
    const registeredAt = registrationOf(`the conversion of ${definition}`);
    const { client, caCertificate } = this.#functions.place;
    const path = `/conversion/${this.#functions.nextNumber()}`;
    const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(definition)}`;
    const set = (conversion: unknown): Promise<unknown> =>
      client.send({
        method: 'PATCH',
        path: crd,
        contentType: 'application/json-patch+json',
        body: [{ op: 'add', path: '/spec/conversion', value: conversion }],
      });
    let before: unknown;
    return this.#functions.add(
      {
        name: `conversion of ${definition}`,
        path,
        describe: conversionCall,
        answer: (call) => conversionAnswer(call, convert),
        failed: (call, error) => failedConversion(call, error),
        register: async () => {
          const server = await this.#functions.server();
          const { spec } = await client.send<{ readonly spec: { readonly conversion?: unknown } }>({
            method: 'GET',
            path: crd,
          });
          before = spec.conversion ?? { strategy: 'None' };
          await set({
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: clientConfig(server.urlOf(path), caCertificate),
            },
          });
        },
        unregister: async () => {
          if (before !== undefined) await unlessAnswered(404, set(before));
        },
      },
      registeredAt,
    );
  }

  #admission({ answer, kind, options, resource }: Admission, registeredAt: Error): Promise<RegisteredFunction> {
    const { client, caCertificate } = this.#functions.place;
    const number = this.#functions.nextNumber();
    const { name = `function-${number}.kubechain.test` } = options;
    const path = `/admission/${number}`;
    const probe = new AdmissionProbe(client, String(number));
    const configurations = `/apis/admissionregistration.k8s.io/v1/${resource}`;
    return this.#functions.add(
      {
        name,
        path,
        counts: (call) => !isProbe(call),
        describe: ({ body }) => admissionCall(admissionRequest(body)),
        answer: async (call) => {
          const request = admissionRequest(call.body);
          if (isProbe(call)) {
            if (call.path !== path) probe.called();
            return { status: 200, body: admissionResponse(request.uid, undefined, null) };
          }
          const made = (await answer(request, call)) as MutatingAnswer;
          return { status: 200, body: admissionResponse(request.uid, made, admissionRequest(call.body).object) };
        },
        failed: (_call, error) => ({ status: 500, body: statusOf(error) }),
        register: async () => {
          const server = await this.#functions.server();
          const at = (below: string): object => clientConfig(server.urlOf(`${path}${below}`), caCertificate);
          await client.send({
            method: 'POST',
            path: configurations,
            body: {
              apiVersion: 'admissionregistration.k8s.io/v1',
              kind,
              metadata: { name },
              webhooks: [probe.webhook(at('/probe')), { ...webhookOf(options), name, clientConfig: at('') }],
            },
          });
          await probe.settled(true);
        },
        unregister: async ({ wait }) => {
          await unlessAnswered(
            404,
            client.send({ method: 'DELETE', path: `${configurations}/${encodeURIComponent(name)}` }),
          );
          if (wait) await probe.settled(false);
        },
      },
      registeredAt,
    );
  }
}

const configurations = {
  mutating: { kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations' },
  validating: { kind: 'ValidatingWebhookConfiguration', resource: 'validatingwebhookconfigurations' },
} as const;

function clientConfig(url: string, caCertificate: string): object {
  return { url, caBundle: Buffer.from(caCertificate).toString('base64') };
}

/** Also of other functions: a rule for everything meets them too. */
function isProbe({ body }: FunctionCall): boolean {
  const { dryRun, object } = admissionRequest(body);
  return dryRun === true && object?.metadata?.labels?.[probeLabel] !== undefined;
}

function admissionCall({ name, namespace, operation, resource, subResource }: AdmissionRequest): string {
  const { group, resource: plural } = resource;
  const what = `${plural}${group === '' ? '' : `.${group}`}${subResource === undefined ? '' : `/${subResource}`}`;
  return [operation, what, [namespace, name].filter((part) => part !== undefined).join('/')].join(' ').trimEnd();
}

function statusOf(error: Error): FunctionAnswer['body'] {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: error.message, code: 500 };
}
