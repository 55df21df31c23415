import type { KubeObject } from '@kubechain/apimachinery';
import type { FunctionAnswer, FunctionCall } from './function-server.ts';

/** Makes another version of an object; `desiredAPIVersion` is set on what it answers. */
export type ConversionFunction = (object: KubeObject, desiredAPIVersion: string) => KubeObject | Promise<KubeObject>;

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

/** Answers a ConversionReview of apiextensions.k8s.io/v1. */
export async function conversionAnswer(call: FunctionCall, convert: ConversionFunction): Promise<FunctionAnswer> {
  const { desiredAPIVersion, objects, uid } = requestOf(call);
  const convertedObjects: KubeObject[] = [];
  for (const object of objects)
    convertedObjects.push({ ...(await convert(object, desiredAPIVersion)), apiVersion: desiredAPIVersion });
  return review({ uid, convertedObjects, result: { status: 'Success' } });
}

/** What the server is told of a function that has thrown. */
export function failedConversion(call: FunctionCall, error: Error): FunctionAnswer {
  return review({ uid: requestOf(call).uid, result: { status: 'Failure', message: error.message } });
}

/** A call in words. */
export function conversionCall(call: FunctionCall): string {
  const { desiredAPIVersion, objects } = requestOf(call);
  const [first] = objects;
  const more = objects.length > 1 ? ` and ${objects.length - 1} more` : '';
  return (
    `${first?.apiVersion ?? ''} ${first?.kind ?? ''} ${first?.metadata?.name ?? ''}${more} to ` + `${desiredAPIVersion}`
  );
}

function requestOf({ body }: FunctionCall): ConversionRequest {
  return (JSON.parse(body) as { readonly request: ConversionRequest }).request;
}

function review(response: object): FunctionAnswer {
  return { status: 200, body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response } };
}
