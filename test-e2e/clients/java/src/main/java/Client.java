import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Drives the chain with fabric8: CRUD, errors, server-side apply, informers, whose watches are WebSockets. Usage: Client KUBECONFIG. */
public final class Client {
  private static final String NAMESPACE = "java-client";

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(new File(args[0]))).build()) {
      client.namespaces().resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build()).create();
      crud(client);
      System.out.println("ok   crud");
      apply(client);
      System.out.println("ok   server-side apply");
      inform(client);
      System.out.println("ok   informer");
    }
    System.exit(0);
  }

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).withNamespace(NAMESPACE).addToLabels("x", "y").endMetadata().addToData("k", value).build();
  }

  private static void crud(KubernetesClient client) {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    maps.resource(map("a", "v")).create();
    maps.withName("a").edit(found -> new ConfigMapBuilder(found).addToData("p", "q").build());
    require(maps.withName("a").get().getData().equals(Map.of("k", "v", "p", "q")), "edited data");
    require(maps.withLabel("x", "y").list().getItems().size() == 1, "list by label");
    try {
      maps.resource(map("a", "again")).create();
      throw new IllegalStateException("created twice");
    } catch (KubernetesClientException error) {
      require(error.getCode() == 409, "409 for a name that is taken, got " + error.getCode());
    }
    maps.withName("a").delete();
    require(maps.withName("a").get() == null, "deleted");
  }

  private static void apply(KubernetesClient client) {
    var context = new PatchContext.Builder().withPatchType(PatchType.SERVER_SIDE_APPLY).withFieldManager("java").withForce(true).build();
    var first = client.resource(map("applied", "1")).patch(context);
    var again = client.resource(map("applied", "1")).patch(context);
    require(first.getMetadata().getResourceVersion().equals(again.getMetadata().getResourceVersion()), "applying again changes nothing");
  }

  private static void inform(KubernetesClient client) throws InterruptedException {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    try (SharedIndexInformer<ConfigMap> informer = maps.withLabel("x", "y").inform(new ResourceEventHandler<ConfigMap>() {
      @Override public void onAdd(ConfigMap map) { events.add("added " + map.getMetadata().getName()); }
      @Override public void onUpdate(ConfigMap before, ConfigMap map) { events.add("updated " + map.getData().get("k")); }
      @Override public void onDelete(ConfigMap map, boolean unknown) { events.add("deleted " + map.getMetadata().getName()); }
    })) {
      maps.resource(map("watched", "1")).create();
      maps.withName("watched").edit(found -> new ConfigMapBuilder(found).addToData("k", "2").build());
      maps.withName("watched").delete();
      for (String expected : List.of("added applied", "added watched", "updated 2", "deleted watched")) {
        String event = events.poll(20, TimeUnit.SECONDS);
        require(expected.equals(event), "event " + expected + ", got " + event);
      }
      require(informer.isWatching(), "the informer watches");
      require(informer.getStore().list().size() == 1, "the informer's store");
    }
  }

  private static void require(boolean condition, String what) {
    if (!condition) throw new IllegalStateException(what);
  }
}
