/**
 * Records the facts of a Kubernetes release, in the form that `npm run generate` reads:
 *
 *   node scripts/record-facts.ts --server URL --token TOKEN --all-server URL --gated-server URL --source TREE \
 *     --out FOLDER
 *
 * `--server`: a fresh kube-apiserver with its defaults and `--authorization-mode=Node,RBAC`; `--all-server`: one more,
 * with `--runtime-config=api/all=true`; `--gated-server`: a third, with `--feature-gates=AllAlpha=true,AllBeta=true`
 * besides. All know the same administrator: `--token`, or `--kubeconfig` in place of
 * `--server` and `--token`; `--certificate-authority` checks certificates. `--source`: the release's source tree, or a
 * folder with `test`, `pkg` and `staging/src/k8s.io/MODULE` made of links into a cache of Go modules. What is asked
 * for and written: docs/generated-tables.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { jsonLines } from './generate/output.ts';
import { recordAggregatedDiscovery, recordDiscovery, recordTables } from './record/discovery.ts';
import { featureHistory } from './record/feature-history.ts';
import { etcdPaths } from './record/etcd-paths.ts';
import { metricNames } from './record/metrics.ts';
import { recordOpenAPI } from './record/openapi.ts';
import { protobufFields } from './record/protobuf-fields.ts';
import { recordBootstrapRoles } from './record/rbac.ts';
import { sorted } from './record/sorted.ts';
import { fileText, Server, serverOfKubeconfig } from './record/server.ts';

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    token: { type: 'string' },
    kubeconfig: { type: 'string' },
    'certificate-authority': { type: 'string' },
    'all-server': { type: 'string' },
    'gated-server': { type: 'string' },
    source: { type: 'string' },
    out: { type: 'string' },
  },
});
const { source, out, 'all-server': allServer, 'gated-server': gatedServer } = values;
if ((values.server ?? values.kubeconfig) === undefined || out === undefined) {
  process.stderr.write(
    'usage: node scripts/record-facts.ts {--server URL --token TOKEN | --kubeconfig FILE} ' +
      '[--certificate-authority FILE] [--all-server URL] [--gated-server URL] [--source TREE] --out FOLDER\n',
  );
  process.exit(1);
}

const ca = fileText(values['certificate-authority']);
const options = {
  ...(values.kubeconfig === undefined ? { url: '' } : await serverOfKubeconfig(values.kubeconfig)),
  ...(values.server === undefined ? {} : { url: values.server }),
  ...(values.token === undefined ? {} : { token: values.token }),
  ...(ca === undefined ? {} : { ca }),
};
const server = new Server(options);
const folder = resolve(out);
mkdirSync(join(folder, 'rbac-bootstrap'), { recursive: true });
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const writeJSON = (name: string, value: unknown): void => write(name, `${JSON.stringify(sorted(value), null, 1)}\n`);
const writeRows = (name: string, value: Readonly<Record<string, unknown>>): void =>
  write(name, `${jsonLines(value)}\n`);
const writeOrdered = (name: string, value: unknown): void => write(name, `${JSON.stringify(value, null, 1)}\n`);

const version = await server.json<{ readonly major: string; readonly minor: string }>('/version');
const release = `${version.major}.${version.minor}`;
writeOrdered('version.json', version);

const discovery = await recordDiscovery(server);
writeOrdered('discovery.json', discovery);
writeOrdered('aggregated-discovery.json', await recordAggregatedDiscovery(server));
writeOrdered('table-columns.json', (await recordTables(server, discovery)).columns);
const openapi = await recordOpenAPI(server);
writeJSON('openapi-v2-definitions.json', openapi.v2);
writeJSON('openapi-v3-schemas.json', openapi.schemas);
writeJSON('openapi-v3-paths.json', openapi.paths);
writeJSON('descriptions.json', openapi.descriptions);
for (const [name, text] of Object.entries(await recordBootstrapRoles(server))) write(`rbac-bootstrap/${name}`, text);
const exposition = (await server.answer('/metrics')).body;
write('metrics.txt', metricNames(exposition));
await recordMore('optional', allServer);
await recordMore('gated', gatedServer);

if (source !== undefined) recordSource(source);
process.stdout.write(`recorded ${release} into ${folder}\n`);

/** What a server lists that has more than the first one. */
async function recordMore(name: string, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  mkdirSync(join(folder, name), { recursive: true });
  const more = new Server({ ...options, url });
  const documents = await recordDiscovery(more);
  const tables = await recordTables(more, documents);
  writeOrdered(`${name}/discovery.json`, documents);
  writeOrdered(`${name}/table-columns.json`, tables.columns);
  writeOrdered(`${name}/warnings.json`, tables.warnings);
}

/** What no server tells. */
function recordSource(tree: string): void {
  writeJSON('protobuf-fields.json', protobufFields(join(tree, 'staging/src/k8s.io')));
  writeJSON('etcd-paths.json', etcdPaths(join(tree, 'test/integration/etcd/data.go')));
  writeRows('feature-gates.json', featureHistory(tree, exposition, release));
  write('go-types.json', extracted('extract-go-types.ts', tree));
  write('printed-columns.json', extracted('extract-table-columns.ts', tree));
  write('internal-types.json', extracted('extract-internal-types.ts', tree));
}

/** What a script reads off the source tree. */
function extracted(name: string, tree: string): string {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, tree], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${name} cannot read ${tree}`);
  return stdout;
}
