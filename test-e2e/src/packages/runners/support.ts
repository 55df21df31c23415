/**
 * What the tests of users' projects call, in CommonJS form, which everything can import. `visit` makes a namespace in
 * the environment of a kubeconfig, and notes what it has seen there, in the file that `SEEN` names.
 */
export const support = `
const { appendFileSync, readFileSync } = require('node:fs');
const { request } = require('node:https');

function ask({ url, ...tls }, method, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(url, { method, ...tls, agent: false, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

exports.visit = async function visit(scope, kubeconfig, name) {
  const text = readFileSync(kubeconfig, 'utf8');
  const value = (key) => new RegExp(key + ': (.*)').exec(text)[1].trim();
  const decoded = (key) => Buffer.from(value(key), 'base64').toString();
  const server = value('server');
  const target = {
    url: server + '/api/v1/namespaces',
    ca: decoded('certificate-authority-data'),
    cert: decoded('client-certificate-data'),
    key: decoded('client-key-data'),
  };
  const { kind, message } = await ask(target, 'POST', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  if (kind !== 'Namespace') throw new Error(message);
  const { items } = await ask(target, 'GET');
  const namespaces = items.map(({ metadata }) => metadata.name).filter((found) => found.startsWith('of-'));
  const { JEST_WORKER_ID, MOCHA_WORKER_ID, NODE_TEST_WORKER_ID, VITEST_POOL_ID } = process.env;
  const worker = VITEST_POOL_ID || JEST_WORKER_ID || MOCHA_WORKER_ID || NODE_TEST_WORKER_ID || String(process.pid);
  appendFileSync(process.env.SEEN, JSON.stringify({ scope, server, kubeconfig, name, namespaces, worker }) + '\\n');
};
`;

/** Its declaration. */
export const supportTypes =
  'export declare function visit(scope: string, kubeconfig: string, name: string): Promise<void>;\n';

/** A line of what was seen. */
export interface Visit {
  readonly scope: 'preset' | 'file';
  readonly server: string;
  readonly kubeconfig: string;
  readonly name: string;
  readonly namespaces: readonly string[];
  readonly worker: string;
}
