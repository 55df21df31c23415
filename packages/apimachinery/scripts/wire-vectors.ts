/**
 * Checks that one object given as NAME.json, NAME.yaml and NAME.pb is the same thing three times, and that
 * protobuf is written byte for byte:  npm run wire-vectors -- FOLDER
 *
 * NAME is `group.version.Kind`, perhaps with a suffix such as `.after_roundtrip`; it tells the kind of
 * messages that do not name it themselves. Exits with 1 when a vector fails.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@kubechain/apimachinery';
import {
  builtinScheme,
  decodeJSON,
  decodeProtobuf,
  decodeYAML,
  encodeJSON,
  encodeProtobuf,
  encodeYAML,
} from '../src/index.ts';
import type { KindInfo } from '../src/index.ts';

const folder = process.argv[2];
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write(
    folder === undefined ? 'usage: npm run wire-vectors -- FOLDER\n' : `wire-vectors: no folder ${folder}\n`,
  );
  process.exit(1);
}

const scheme = builtinScheme();
const names = [
  ...new Set(
    readdirSync(folder)
      .filter((file) => /\.(json|yaml|pb)$/.test(file))
      .map((file) => file.replace(/\.(json|yaml|pb)$/, '')),
  ),
].toSorted((a, b) => (a < b ? -1 : 1));

/**
 * The kind that a file name stands for: `core.v1.Pod`, `apps.v1.Deployment`,
 * `storage.k8s.io.v1.CSINode.after_roundtrip`.
 */
function kindOf(name: string): KindInfo | undefined {
  const parts = name.replace(/\.after_roundtrip.*$/, '').split('.');
  const kind = parts.pop() ?? '',
    version = parts.pop() ?? '';
  const group = parts.join('.');
  return scheme.kind({ group: group === 'core' ? '' : group, version, kind });
}

async function check(name: string): Promise<string[]> {
  const read = (extension: string): Buffer | undefined => {
    const path = join(folder ?? '', `${name}.${extension}`);
    return existsSync(path) ? readFileSync(path) : undefined;
  };
  const json = read('json'),
    yaml = read('yaml'),
    pb = read('pb');
  const missing = [
    ['json', json],
    ['yaml', yaml],
    ['pb', pb],
  ]
    .filter(([, bytes]) => bytes === undefined)
    .map(([extension]) => `no .${String(extension)} file`);
  if (json === undefined || yaml === undefined || pb === undefined) return missing;
  const expected = kindOf(name);
  const options = { scheme, accepts: () => true };
  const fromJSON = decodeJSON(json, expected, options),
    fromYAML = await decodeYAML(yaml, expected, options),
    fromProtobuf = decodeProtobuf(pb, expected, options);
  const schema = fromJSON.kind?.schema;
  if (schema === undefined) return ['unknown kind'];
  const want = encodeJSON(fromJSON.object, schema);
  const problems: string[] = [];
  if (!encodeJSON(fromYAML.object, schema).equals(want)) problems.push('YAML is not the same object as JSON');
  if (!encodeJSON(fromProtobuf.object, schema).equals(want))
    problems.push(
      `protobuf is not the same object as JSON ${difference(encodeJSON(fromProtobuf.object, schema), want)}`,
    );
  // WatchEvent has no type meta: its envelope names nothing either.
  const named = 'kind' in (JSON.parse(json.toString()) as object);
  for (const [from, { object }] of [
    ['JSON', fromJSON],
    ['YAML', fromYAML],
    ['protobuf', fromProtobuf],
  ] as const) {
    const written = encodeProtobuf(named ? object : { ...object, kind: '', apiVersion: '' }, schema);
    if (!written.equals(pb)) problems.push(`protobuf written from ${from} differs ${difference(written, pb)}`);
  }
  if (!(await encodeYAML(fromProtobuf.object, schema)).equals(await encodeYAML(fromJSON.object, schema)))
    problems.push('YAML written from protobuf differs');
  return problems;
}

function difference(got: Buffer, want: Buffer): string {
  let at = 0;
  while (at < got.length && got[at] === want[at]) at++;
  return (
    `at byte ${at} (${got.length} for ${want.length} bytes): got ` +
    `${JSON.stringify(got.subarray(at, at + 24).toString('latin1'))}, want ` +
    `${JSON.stringify(want.subarray(at, at + 24).toString('latin1'))}`
  );
}

let passed = 0,
  failed = 0;
for (const name of names) {
  let problems: string[];
  try {
    problems = await check(name);
  } catch (error) {
    problems = [messageOf(error)];
  }
  if (problems.length === 0) passed++;
  else {
    failed++;
    process.stdout.write(`${name}:\n${problems.map((problem) => `  ${problem}\n`).join('')}`);
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
