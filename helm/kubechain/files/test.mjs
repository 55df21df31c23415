// What helm test runs in a pod: asks each server of the chain for something that only it serves.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const token = readFileSync(join(dirname(process.env.NODE_EXTRA_CA_CERTS), 'token'), 'utf8').trim();

async function ask(path, { method = 'GET', body, expected = 200 } = {}) {
  const response = await fetch(process.env.KUBECHAIN_URL + path, {
    method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${method} ${path}: ${response.status} instead of ${expected}: ${text}`);
  console.log(`${method} ${path}: ${response.status}`);
  return text;
}

// Nodes and the cluster's DNS learn a moment later than helm that the pods behind the Service are ready.
for (const endsMs = Date.now() + 60_000; ; await delay(500)) {
  try {
    await ask('/readyz');
    break;
  } catch (error) {
    console.log(`not yet: ${error.message} ${error.cause ?? ''}`);
    if (Date.now() > endsMs) throw error;
  }
}
const { gitVersion } = JSON.parse(await ask('/version'));
console.log(`the chain says that it is Kubernetes ${gitVersion}`);
// The aggregator's own resource lists what the two behind it serve.
const { items } = JSON.parse(await ask('/apis/apiregistration.k8s.io/v1/apiservices'));
for (const name of ['v1.', 'v1.apps', 'v1.apiextensions.k8s.io']) {
  const conditions = items.find((item) => item.metadata.name === name)?.status?.conditions ?? [];
  if (!conditions.some(({ type, status }) => type === 'Available' && status === 'True')) throw new Error(`APIService ${name} is not available`);
}
await ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
const { metadata } = JSON.parse(await ask('/api/v1/namespaces/default/configmaps', { method: 'POST', expected: 201, body: { metadata: { generateName: 'helm-test-' }, data: { written: 'yes' } } }));
await ask(`/api/v1/namespaces/default/configmaps/${metadata.name}`, { method: 'DELETE' });
// Who says nothing of himself may not look.
const anonymous = await fetch(`${process.env.KUBECHAIN_URL}/api/v1/namespaces`);
if (anonymous.status !== 403 && anonymous.status !== 401) throw new Error(`anonymous callers get ${anonymous.status}`);
console.log('passed');
