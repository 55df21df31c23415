import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

/** Where config maps, custom resources and their definitions are. */
export const configMaps = '/api/v1/namespaces/default/configmaps';
export const things = '/apis/bench.example.com/v1/namespaces/default/things';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const payload = 'x'.repeat(700);

/** A config map of about 1 KiB when it is stored, as JSON. */
export const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { text: payload },
  });

/** A custom resource of the same size. */
export const thing = (name: string): string =>
  JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Thing',
    metadata: { name, labels: { app: 'bench' } },
    spec: { text: payload },
  });

/** The CRD of {@link thing}. */
const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
});

/** Defines custom resources of {@link thing}'s kind, and makes the first one. */
export async function defineThings(client: Client, first: string): Promise<void> {
  await client.call('POST', definitions, definition);
  await untilServed(() => client.call('POST', things, first));
}

/** A new custom resource is served a moment after its definition was accepted. */
export async function untilServed(call: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await call();
      return;
    } catch (error) {
      if (tries > 100) throw error;
      await delay(50);
    }
  }
}
