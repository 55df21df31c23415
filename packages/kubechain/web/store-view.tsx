import type { StoredKey, StoredVersion } from '@kubechain/apiserver/control';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { get } from './calls.ts';
import { diffJSON, pretty } from './diff.ts';
import { Diff } from './diff-view.tsx';
import { bytes } from './format.ts';
import { useLoaded } from './use-model.ts';

interface Page {
  readonly revision: number;
  readonly count: number;
  readonly keys: readonly StoredKey[];
}

const root = '/registry/';

/** Keys of the store, and the versions of one. `place` is a prefix, or a key. */
export function StoreView({ place }: { readonly place: string }): JSX.Element {
  const key = place.startsWith('/') && !place.endsWith('/') ? place : '';
  const [prefix, setPrefix] = useState(key === '' ? (place.startsWith('/') ? place : root) : folderOf(key));
  const [revision, setRevision] = useState('');
  const { error, value } = useLoaded(
    `${prefix} ${revision}`,
    () => get<Page>(`/v1/store?prefix=${encodeURIComponent(prefix)}&revision=${revision}`),
    2_000,
  );
  return (
    <section class="store fill">
      <div class="filters">
        <label>
          Keys that begin with{' '}
          <input size={40} value={prefix} onInput={(event) => setPrefix(event.currentTarget.value || '/')} />
        </label>
        <label>
          at revision{' '}
          <input
            size={10}
            inputMode="numeric"
            placeholder={String(value?.revision ?? '')}
            value={revision}
            onInput={(event) => setRevision(event.currentTarget.value.replaceAll(/\D/g, ''))}
          />
        </label>
        <span class="hint">{value === undefined ? '' : `${value.count} keys, the store is at ${value.revision}`}</span>
      </div>
      {error !== '' && <p class="error">{error}</p>}
      <div class="columns">
        <div class="table" role="region" aria-label="Keys" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>Key</th>
                <th>Revision</th>
                <th>Writes</th>
              </tr>
            </thead>
            <tbody>
              {(value?.keys ?? []).map((stored) => (
                <tr key={stored.key} class={stored.key === key ? 'opened' : ''}>
                  <td>
                    <a href={`#store/${encodeURIComponent(stored.key)}`}>{stored.key}</a>
                  </td>
                  <td>{stored.modRevision}</td>
                  <td>{stored.version}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {key !== '' && <History key={key} stored={key} />}
      </div>
    </section>
  );
}

function History({ stored }: { readonly stored: string }): JSX.Element {
  const { error, value } = useLoaded(
    stored,
    () =>
      get<{ readonly versions: readonly StoredVersion[]; readonly compacted: boolean }>(
        `/v1/store/history?key=${encodeURIComponent(stored)}`,
      ),
    3_000,
  );
  const versions = value?.versions ?? [];
  const [newest] = versions;
  return (
    <div class="history" tabIndex={0} role="region" aria-label="History">
      <h2>{stored}</h2>
      {error !== '' && <p class="error">{error}</p>}
      {value !== undefined && newest === undefined && <p class="empty">It is not there any more.</p>}
      {versions.slice(0, -1).map((version, index) => (
        <details key={version.modRevision} open={index === 0}>
          <summary>
            revision <b>{version.modRevision}</b>, write {version.version}, {bytes(version.bytes)}
          </summary>
          <Diff lines={diffJSON(versions[index + 1]!.text ?? '', version.text ?? '')} />
        </details>
      ))}
      {value?.compacted === true && <p class="note">What was before has been compacted.</p>}
      {newest !== undefined && (
        <details open={versions.length === 1}>
          <summary>
            the whole of revision <b>{newest.modRevision}</b>
          </summary>
          <pre tabIndex={0}>
            {newest.text === undefined ? 'These bytes are no text: protobuf, or encrypted.' : pretty(newest.text)}
          </pre>
        </details>
      )}
    </div>
  );
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1);
}
