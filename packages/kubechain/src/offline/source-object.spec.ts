import { expect } from 'chai';
import { readText, type Sources } from './source-object.ts';

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
});
