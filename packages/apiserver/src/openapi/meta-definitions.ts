/** What the names of definitions of meta/v1 begin with in OpenAPI documents: `…v1.Status`. */
export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
