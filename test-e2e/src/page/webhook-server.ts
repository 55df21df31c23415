import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Chain } from '../harness/chain.ts';
import type { Client } from '../harness/client.ts';

/** A mutating webhook that puts a patch on whatever it is asked about. */
export interface PatchingWebhook {
  readonly url: string;
  /** Base64 of the authority that its certificate is of. */
  readonly caBundle: string;
  /** Headers of what it was asked, in turn. */
  readonly asked: readonly IncomingHttpHeaders[];
  /** From now on nothing is answered, until what it gives is called. */
  hold(): () => void;
  close(): void;
}

/** Serves with the chain's own certificate, which is for 127.0.0.1. */
export async function startPatchingWebhook(chain: Chain, patch: readonly object[]): Promise<PatchingWebhook> {
  const read = (name: string): string => readFileSync(join(chain.dataDir, 'pki', name), 'utf8');
  const asked: IncomingHttpHeaders[] = [];
  let held = Promise.resolve();
  const server = createServer({ cert: read('apiserver.crt'), key: read('apiserver.key') }, (request, response) => {
    asked.push(request.headers);
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const review = JSON.parse(text) as { readonly request: { readonly uid: string } };
      const answer = {
        uid: review.request.uid,
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
      };
      const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer });
      response.setHeader('Content-Type', 'application/json');
      void held.then(() => response.end(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    hold: () => {
      let goOn = (): void => undefined;
      held = new Promise((resolve) => (goOn = resolve));
      return goOn;
    },
    caBundle: Buffer.from(read('ca.crt')).toString('base64'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Lets a webhook patch what is created of a resource. Servers may know of it a moment later only. */
export async function registerPatchingWebhook(
  client: Client,
  { url, caBundle }: PatchingWebhook,
  { group, name, resource }: { readonly name: string; readonly group: string; readonly resource: string },
): Promise<void> {
  const { status, text } = await client.post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url, caBundle },
        rules: [{ operations: ['CREATE'], apiGroups: [group], apiVersions: ['*'], resources: [resource] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  expect(status, text).to.equal(201);
}
