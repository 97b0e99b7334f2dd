// Every main operation of npm's gitbeaker against a running platform, one step each.
//
// From the environment: PLATUI_GITBEAKER (a folder with node_modules/@gitbeaker/rest), HOST, TOKEN,
// PROJECT (a full path), TRIGGER (its trigger token). Prints one JSON object: `done`, the names of
// the steps in order, and `failed`, those that threw or found something else than they should.

import { createRequire } from "node:module";
import { join } from "node:path";

const { HOST: host, TOKEN: token, PROJECT: project, TRIGGER: trigger, PLATUI_GITBEAKER: folder } = process.env;
const { Gitlab } = createRequire(join(folder, "index.js"))("@gitbeaker/rest");
const api = new Gitlab({ host, token });
// The storage of the artifacts is another host: fetch keeps `Authorization` from it, and no other header.
const bearer = new Gitlab({ host, oauthToken: token });

const done = [];
const failed = [];

/** Run one step; `holds` looks at what came back. A step that fails ends the walk of its part. */
async function step(name, act, holds = () => true) {
  const told = (error) => `${error?.message} ${error?.cause?.description ?? ""}`.trim();
  let found;
  try {
    found = await act();
    if (!holds(found)) throw new Error(`unexpected: ${JSON.stringify(found)?.slice(0, 300)}`);
  } catch (error) {
    failed.push(`${name}: ${told(error)}`);
    throw error;
  }
  done.push(name);
  return found;
}

/** Run one part; what it had to say is in `failed` already. */
async function part(name, act) {
  const before = failed.length;
  try {
    await act();
  } catch (error) {
    if (failed.length === before) failed.push(`${name}: ${error?.stack}`);
  }
}

const some = (list) => Array.isArray(list) && list.length > 0;
const named = (id) => (record) => record.id === id;
const P = await step("Projects.show", () => api.Projects.show(project));

await part("places", async () => {
  await step("Projects.all", () => api.Projects.all({ membership: true, perPage: 10, maxPages: 3 }), some);
  const ids = (await step(
    "Projects.all by key",
    () => api.Projects.all({ pagination: "keyset", orderBy: "id", sort: "asc", perPage: 20 }),
    some,
  )).map((one) => one.id);
  await step("Projects.all, each once", async () => new Set(ids).size, (size) => size === ids.length && size > 20);
  await step("Projects.search", () => api.Projects.search(P.name), some);
  await step("Projects.create", () => api.Projects.create({ name: `gitbeaker ${process.pid}` }));
  const spaces = await step("Namespaces.all", () => api.Namespaces.all({ perPage: 10, maxPages: 2 }), some);
  await step("Namespaces.show", () => api.Namespaces.show(spaces[0].id), named(spaces[0].id));
  await step("Users.showCurrentUser", () => api.Users.showCurrentUser(), (user) => user.username);
  await step("Metadata.show", () => api.Metadata.show(), (found) => found.version);
  await step("PersonalAccessTokens.show", () => api.PersonalAccessTokens.show(), (found) => found.active);
});

await part("pipelines", async () => {
  const listed = await step("Pipelines.all", () => api.Pipelines.all(P.id, { perPage: 20, maxPages: 2 }), some);
  const old = await step(
    "Pipelines.all, filtered",
    () => api.Pipelines.all(P.id, { status: "success", orderBy: "updated_at", perPage: 5, maxPages: 1 }),
    (found) => found.length === 5 && found.every((one) => one.status === "success"),
  );
  await step("Pipelines.show", () => api.Pipelines.show(P.id, listed[0].id), named(listed[0].id));
  await step("Pipelines.showLatest", () => api.Pipelines.showLatest(P.id), (one) => one.ref === P.default_branch);
  await step("Pipelines.showTestReport", () => api.Pipelines.showTestReport(P.id, old[0].id));
  await step("Pipelines.showTestReportSummary", () => api.Pipelines.showTestReportSummary(P.id, old[0].id));
  const variables = [{ key: "A", value: "b" }];
  const made = await step(
    "Pipelines.create",
    () => api.Pipelines.create(P.id, "main", { variables }),
    (one) => one.status === "pending",
  );
  await step("Pipelines.allVariables", () => api.Pipelines.allVariables(P.id, made.id), ([one]) => one.value === "b");
  await step("Pipelines.cancel", () => api.Pipelines.cancel(P.id, made.id), named(made.id));
  await step("Pipelines.retry", () => api.Pipelines.retry(P.id, made.id), named(made.id));
  await step("Pipelines.remove", () => api.Pipelines.remove(P.id, made.id));
  await step(
    "PipelineTriggerTokens.trigger",
    () => api.PipelineTriggerTokens.trigger(P.id, "main", trigger, { variables: { X: "y" } }),
    (one) => one.id > made.id,
  );
});

await part("jobs", async () => {
  const [red] = await api.Pipelines.all(P.id, { status: "failed", perPage: 1, maxPages: 1 });
  const jobs = await step("Jobs.all of a pipeline", () => api.Jobs.all(P.id, { pipelineId: red.id }), some);
  await step("Jobs.all", () => api.Jobs.all(P.id, { perPage: 20, maxPages: 2 }), (list) => list.length === 40);
  await step("Jobs.show", () => api.Jobs.show(P.id, jobs[0].id), named(jobs[0].id));
  const bad = (await step(
    "Jobs.all, failed",
    () => api.Jobs.all(P.id, { scope: ["failed"], perPage: 5, maxPages: 1 }),
    (list) => list.length > 1 && list.every((job) => job.status === "failed"),
  ))[0];
  await step("Jobs.showLog", () => api.Jobs.showLog(P.id, bad.id), (log) => log.length > 100);
  await step("Jobs.allPipelineBridges", () => api.Jobs.allPipelineBridges(P.id, red.id), Array.isArray);
  const again = await step("Jobs.retry", () => api.Jobs.retry(P.id, bad.id), (job) => job.id > bad.id);
  await step("Jobs.cancel", () => api.Jobs.cancel(P.id, again.id), named(again.id));
  await step("Jobs.erase", () => api.Jobs.erase(P.id, bad.id), (job) => job.erased_at);
  const [there, waiting] = await manual();
  await step("Jobs.play", () => api.Jobs.play(there.id, waiting.id), named(waiting.id));
});

/** Find a project with a job that waits for somebody, and the job. */
async function manual() {
  for (const one of await api.Projects.all({ minAccessLevel: 30, perPage: 100 })) {
    const jobs = await api.Jobs.all(one.id, { scope: ["manual"], perPage: 1, maxPages: 1 });
    if (jobs.length) return [one, jobs[0]];
  }
  throw new Error("nobody has a manual job");
}

await part("artifacts", async () => {
  const good = await api.Jobs.all(P.id, { scope: ["success"], perPage: 100, maxPages: 4 });
  const job = good.find((one) => one.artifacts_file && one.name === "dbt_run" && one.ref === "main");
  const full = (found) => found.size > 100;
  const at = { jobId: job.id };
  await step("JobArtifacts.downloadArchive", () => bearer.JobArtifacts.downloadArchive(P.id, at), full);
  await step(
    "JobArtifacts.downloadArchive of the newest",
    () => bearer.JobArtifacts.downloadArchive(P.id, { job: job.name, ref: "main" }),
    full,
  );
  await step(
    "JobArtifacts.downloadArchive, one file",
    () => bearer.JobArtifacts.downloadArchive(P.id, { ...at, artifactPath: "logs/dbt.log" }),
    full,
  );
  await step("JobArtifacts.keep", () => api.JobArtifacts.keep(P.id, job.id), (kept) => !kept.artifacts_expire_at);
  await step("JobArtifacts.remove", () => api.JobArtifacts.remove(P.id, { jobId: job.id }));
});

await part("schedules", async () => {
  const made = await step(
    "PipelineSchedules.create",
    () => api.PipelineSchedules.create(P.id, "nightly", "main", "0 3 * * *", { cronTimezone: "UTC" }),
    (one) => one.active,
  );
  const edited = { description: "later", cron: "0 4 * * *" };
  await step("PipelineSchedules.edit", () => api.PipelineSchedules.edit(P.id, made.id, edited), (one) => one.cron === edited.cron);
  await step("PipelineSchedules.takeOwnership", () => api.PipelineSchedules.takeOwnership(P.id, made.id), named(made.id));
  await step("PipelineScheduleVariables.create", () => api.PipelineScheduleVariables.create(P.id, made.id, "K", "v"));
  await step("PipelineScheduleVariables.edit", () => api.PipelineScheduleVariables.edit(P.id, made.id, "K", "w"));
  await step("PipelineSchedules.show", () => api.PipelineSchedules.show(P.id, made.id), (one) => one.variables[0].value === "w");
  await step("PipelineSchedules.run", () => api.PipelineSchedules.run(P.id, made.id));
  await step("PipelineSchedules.allTriggeredPipelines", () => api.PipelineSchedules.allTriggeredPipelines(P.id, made.id), Array.isArray);
  await step("PipelineScheduleVariables.remove", () => api.PipelineScheduleVariables.remove(P.id, made.id, "K"));
  await step("PipelineSchedules.all", () => api.PipelineSchedules.all(P.id), (list) => list.some(named(made.id)));
  await step("PipelineSchedules.remove", () => api.PipelineSchedules.remove(P.id, made.id));
});

await part("repository", async () => {
  await step("Branches.all", () => api.Branches.all(P.id), some);
  await step("Branches.show", () => api.Branches.show(P.id, "main"), (one) => one.default);
  const tags = await step("Tags.all", () => api.Tags.all(P.id, { perPage: 10, maxPages: 1 }), some);
  await step("Tags.show", () => api.Tags.show(P.id, tags[0].name), (one) => one.name === tags[0].name);
  const { id } = tags[0].commit;
  await step("Commits.show", () => api.Commits.show(P.id, id), named(id));
  await step("Repositories.allRepositoryTrees", () => api.Repositories.allRepositoryTrees(P.id, { recursive: true, perPage: 10 }), some);
  const file = await step("RepositoryFiles.show", () => api.RepositoryFiles.show(P.id, "full-ci.yml", "main"));
  const text = Buffer.from(file.content, file.encoding).toString();
  await step("RepositoryFiles.showRaw", () => api.RepositoryFiles.showRaw(P.id, "full-ci.yml", "main"), (raw) => raw === text);
});

await part("the end", async () => {
  await step("PersonalAccessTokens.remove", () => api.PersonalAccessTokens.remove({ tokenId: "self" }));
  await step("401", () => api.Users.showCurrentUser().catch((error) => error), (error) => error.cause?.response?.status === 401);
});

console.log(JSON.stringify({ done, failed }));
