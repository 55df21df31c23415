import { expect } from 'chai';
import express from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installDebugRoutes } from './debug-routes.ts';

describe('installDebugRoutes', () => {
  let server: Server;
  let url: string;
  before((done) => {
    const app = express();
    installDebugRoutes(app);
    server = app.listen(0, '127.0.0.1', () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  it('leads to the list of profiles, in words only those who read', async () => {
    const answers = await Promise.all(
      ['GET', 'POST'].map(async (method) => {
        const response = await fetch(`${url}/debug/pprof`, { method, redirect: 'manual' });
        const { headers, status } = response;
        return [status, headers.get('location'), headers.get('content-type'), await response.text()];
      }),
    );
    expect(answers).to.deep.equal([
      [302, '/debug/pprof/', 'text/html; charset=utf-8', '<a href="/debug/pprof/">Found</a>.\n\n'],
      [302, '/debug/pprof/', null, ''],
    ]);
  });
});
