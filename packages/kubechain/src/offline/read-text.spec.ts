import { expect } from 'chai';
import { readText } from './read-text.ts';
import { readWithNodes } from './read-with-nodes.ts';
import type { Sources } from './source-object.ts';

const read = (of: string): Sources => readText('-', of);

const chart = `---
# Source: web/templates/a.yaml
apiVersion: v1
kind: List
items:
  - kind: Pod
    metadata: {name: a}
  - kind: Pod
    metadata: {name: b}
---
kind: Deployment
metadata:
  labels:
    app.kubernetes.io/name: web
spec:
  containers:
    - name: a
      image: b
`;

describe('objects of files', () => {
  it('are the items of lists, and know their templates', () => {
    const { objects } = read(chart);
    expect(objects.map(({ place, value }) => [(value as { kind: string }).kind, place()])).to.deep.equal([
      ['Pod', { file: '-', line: 6, column: 5, template: 'web/templates/a.yaml' }],
      ['Pod', { file: '-', line: 8, column: 5, template: 'web/templates/a.yaml' }],
      ['Deployment', { file: '-', line: 11, column: 1 }],
    ]);
  });

  const rows: readonly (readonly [path: string, line: number, column: number])[] = [
    ['spec.containers[0].image', 18, 7],
    ['spec.containers[0]', 17, 7],
    ['spec.containers[0].nothing', 17, 7],
    ['spec.containers[3].image', 17, 5],
    ['spec', 15, 1],
    ['metadata.labels[app.kubernetes.io/name]', 14, 5],
    ['status', 11, 1],
  ];
  for (const [path, line, column] of rows)
    it(`have ${path} at line ${line}`, () => {
      const [, , deployment] = read(chart).objects;
      expect(deployment?.place(path)).to.deep.equal({ file: '-', line, column });
    });

  it('are told apart from what is no YAML, from comments and from kustomizations', () => {
    const { errors, objects } = read('# nothing\n---\nkind: Kustomization\n---\na: [\n');
    expect(objects).to.deep.equal([]);
    expect(errors.map(({ place }) => place.line)).to.deep.equal([6]);
  });

  const texts: Readonly<Record<string, string>> = {
    'of several documents': 'a: 1\n---\n\n# b\nb: 2\n--- # c\n  c: [1, 2]\n---\n',
    'with the first content beside a marker': '--- {a: 1}\n---\tb\n',
    'with an end of a document': 'a: 1\n...\n# b\n---\nb: 2\n',
    'in a list with nothing in it': 'kind: PodList\nitems: [null, {kind: Pod}]\n',
    'of texts that look like markers': 'a: |\n  ---\n  # Source: x/y\nb: "---"\n---x: 1\n',
    'with anchors and merged maps': 'a: &a {b: 1}\nc: {<<: *a, d: yes}\ne: *a\n',
    'with numbers that are not exact': 'a: 12345678901234567890\nb: 0x1f\nc: 1e3\n',
    'with Windows lines': '---\r\na: 1\r\n---\r\nb: 2\r\n',
    'of JSON': '{"a": [1, {"b": null}]}',
    'with a key twice': 'a: 1\n---\nb: {c: 1, c: 2}\n',
    'that are broken': 'a: 1\n---\nb: [\n',
    'without any content': '# nothing\n---\n# only this',
  };
  for (const [what, text] of Object.entries(texts))
    it(`are the same with their nodes: ${what}`, () => {
      const told = ({ errors, objects }: Sources): unknown => [
        errors,
        objects.map(({ place, value }) => [value, place(), place('a'), place('c.d')]),
      ];
      expect(told(readText('f', text))).to.deep.equal(told(readWithNodes('f', text)));
    });
});
