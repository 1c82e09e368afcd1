import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { schemaErrors } from './support/kubernetes-schema'
import { type Manifest, parseManifests, renderChart, renderTemplate } from './support/render-chart'

const required = {
  image: { repository: 'registry.example.com/app', tag: '1.0.0' },
  url: 'https://app.example.com',
  secretName: 'app',
}

const everything = {
  ...required,
  autoscaling: { enabled: false },
  migrations: { allowUnsafe: true },
  metrics: { enabled: true },
  preStop: { exec: { command: ['sleep', '5'] } },
  env: { MAIL_FROM: 'App <app@example.com>' },
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  networkPolicy: { from: [{ namespaceSelector: {} }] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  serviceAccountName: 'app-identity',
  annotations: {
    deployment: { 'example.com/owner': 'team' },
    pod: { 'example.com/inject': 'true' },
    service: { 'example.com/internal': 'yes' },
  },
}

const example = () => parseManifests(readFileSync('deploy/kubernetes.yaml', 'utf8'))

function find(manifests: Manifest[], kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind)
  if (!found) throw new Error(`There is no ${kind}.`)
  return found
}

const podOf = (manifests: Manifest[], kind = 'Deployment') =>
  find(manifests, kind).spec.template.spec
const settingsOf = (manifests: Manifest[], kind?: string) =>
  Object.fromEntries(
    podOf(manifests, kind).containers[0].env.map((setting: { name: string; value: string }) => [
      setting.name,
      setting.value,
    ]),
  )

describe('all fields are those of Kubernetes', () => {
  test.each([
    ['the chart with required values', () => renderChart(required)],
    ['the chart with all values', () => renderChart(everything)],
    ['the example', example],
  ])('%s', (_, manifests) => {
    expect(manifests().length).toBeGreaterThanOrEqual(3)
    // The kind of the Prometheus Operator is none of Kubernetes itself.
    const ofKubernetes = manifests().filter(({ kind }) => kind !== 'ServiceMonitor')
    expect(schemaErrors(ofKubernetes)).toEqual([])
  })

  test('a misspelled field, a wrong type and a missing field are found', () => {
    const broken = (change: (deployment: Manifest) => void) => {
      const deployment = structuredClone(find(renderChart(required), 'Deployment'))
      change(deployment)
      return schemaErrors([deployment]).join('\n')
    }
    expect(
      broken((deployment) => {
        deployment.spec.template.spec.containers[0].readinesProbe = {}
      }),
    ).toContain('readinesProbe')
    expect(
      broken((deployment) => {
        deployment.spec.template.spec.terminationGracePeriodSeconds = '30'
      }),
    ).toContain("'string' is not assignable to type 'number'")
    expect(
      broken((deployment) => {
        delete deployment.spec.selector
      }),
    ).toContain("'selector' is missing")
  })
})

describe('the chart', () => {
  test.each(['image.repository', 'image.tag', 'url', 'secretName'])('requires %s', (path) => {
    const values = structuredClone(required) as Record<string, unknown>
    const [first = '', second] = path.split('.')
    if (second) (values[first] as Record<string, unknown>)[second] = ''
    else values[first] = ''
    expect(() => renderChart(values)).toThrow(`${path} is required`)
  })

  test('has all parts, and those that are turned off are absent', () => {
    const kinds = (values: object) => renderChart(values).map(({ kind }) => kind)
    const always = ['Deployment', 'Service', 'PodDisruptionBudget']
    expect(kinds(required)).toEqual([...always, 'HorizontalPodAutoscaler', 'NetworkPolicy', 'Job'])
    const off = { autoscaling: { enabled: false }, networkPolicy: { enabled: false } }
    expect(kinds({ ...required, ...off })).toEqual([...always, 'Job'])
    expect(kinds(everything)).toContain('ServiceMonitor')
  })

  test('the monitor of Prometheus scrapes the pods of the server, under the name of the release', () => {
    const manifests = renderChart(everything)
    const { metadata, spec } = find(manifests, 'ServiceMonitor')
    expect(metadata.labels).toMatchObject({ release: 'prometheus' })
    const service = find(manifests, 'Service')
    expect(service.metadata.labels).toMatchObject(spec.selector.matchLabels)
    expect(service.metadata.labels).toHaveProperty(spec.jobLabel, 'web')
    const port = service.spec.ports.find(({ name }: { name: string }) => name === 'metrics')
    expect(spec.endpoints).toEqual([{ port: 'metrics', path: '/metrics', interval: '30s' }])
    const { ports } = podOf(manifests).containers[0]
    expect(ports).toContainEqual({ name: port.targetPort, containerPort: 9464 })
  })

  test('passes annotations and the service account on', () => {
    const manifests = renderChart(everything)
    const deployment = find(manifests, 'Deployment')
    expect(deployment.metadata.annotations).toEqual({ 'example.com/owner': 'team' })
    expect(find(manifests, 'Service').metadata.annotations).toEqual({
      'example.com/internal': 'yes',
    })
    for (const kind of ['Deployment', 'Job']) {
      const { metadata, spec } = find(manifests, kind).spec.template
      expect(metadata.annotations).toMatchObject({ 'example.com/inject': 'true' })
      expect(spec.serviceAccountName).toBe('app-identity')
      expect(podOf(renderChart(required), kind)).not.toHaveProperty('serviceAccountName')
    }
    const { metrics: _, serviceMonitor: __, ...quiet } = everything
    const { metadata } = find(renderChart(quiet), 'Deployment').spec.template
    expect(metadata.annotations).toEqual({ 'example.com/inject': 'true' })
  })

  test('the job that migrates has limits of its own', () => {
    const { resources } = podOf(renderChart(required), 'Job').containers[0]
    expect(resources).toMatchObject({ requests: { memory: '256Mi' }, limits: { memory: '512Mi' } })
  })

  test('leaves the number of pods to the autoscaler, or sets it', () => {
    expect(find(renderChart(required), 'Deployment').spec.replicas).toBeUndefined()
    expect(find(renderChart(required), 'HorizontalPodAutoscaler').spec.minReplicas).toBe(2)
    expect(find(renderChart(everything), 'Deployment').spec.replicas).toBe(2)
  })

  test('updates without fewer pods than before', () => {
    const { strategy } = find(renderChart(required), 'Deployment').spec
    expect(strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
  })

  test('gives a pod the time that a shutdown takes', () => {
    for (const manifests of [renderChart(required), example()]) {
      const delay = Number(settingsOf(manifests).SHUTDOWN_DELAY_MS) / 1000
      expect(delay).toBeGreaterThan(0)
      expect(podOf(manifests).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 20)
    }
  })

  test('migrates in a job before the update, and the server does not', () => {
    const manifests = renderChart(required)
    expect(settingsOf(manifests).MIGRATE).toBe('manual')
    const job = find(manifests, 'Job')
    expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(podOf(manifests, 'Job').containers[0].command).toEqual([
      'sh',
      '-c',
      'node node_modules/plinth doctor --rolling && node node_modules/plinth migrate',
    ])
    expect(podOf(renderChart(everything), 'Job').containers[0].command).toEqual([
      'node',
      'node_modules/plinth',
      'migrate',
    ])
  })

  test('routes to pods of the server only, and protects the job as well', () => {
    const manifests = renderChart(required)
    const labels = (kind: string) => find(manifests, kind).spec.template.metadata.labels
    const selects = (selector: object, chosen: object) =>
      Object.entries(selector).every(([name, value]) => Reflect.get(chosen, name) === value)
    const { selector } = find(manifests, 'Service').spec
    expect(selects(selector, labels('Deployment'))).toBe(true)
    expect(selects(selector, labels('Job'))).toBe(false)
    for (const kind of ['PodDisruptionBudget', 'Deployment']) {
      const { matchLabels } = find(manifests, kind).spec.selector
      expect([
        selects(matchLabels, labels('Deployment')),
        selects(matchLabels, labels('Job')),
      ]).toEqual([true, false])
    }
    const { podSelector } = find(manifests, 'NetworkPolicy').spec
    expect(selects(podSelector.matchLabels, labels('Deployment'))).toBe(true)
    expect(selects(podSelector.matchLabels, labels('Job'))).toBe(true)
  })

  test('exposes metrics only if they are enabled', () => {
    const { metadata } = find(renderChart(everything), 'Deployment').spec.template
    expect(metadata.annotations).toMatchObject({ 'prometheus.io/port': '9464' })
    expect(settingsOf(renderChart(everything))).toMatchObject({
      METRICS_PORT: '9464',
      METRICS_HOST: '0.0.0.0',
    })
    const without = JSON.stringify(renderChart(required))
    expect(without).not.toMatch(/METRICS|prometheus|9464/)
  })

  test('contains no secret: settings with one come from the Secret', () => {
    for (const manifests of [renderChart(everything), example()]) {
      const container = podOf(manifests).containers[0]
      expect(container.envFrom).toEqual([{ secretRef: { name: 'app' } }])
      expect(Object.keys(settingsOf(manifests)).join()).not.toMatch(
        /SECRET|_URL_|DATABASE|SMTP|REDIS/,
      )
    }
  })
})

describe('every pod', () => {
  const pods: [string, () => Manifest[], string][] = [
    ['the server', () => renderChart(required), 'Deployment'],
    ['the job', () => renderChart(required), 'Job'],
    ['the example', example, 'Deployment'],
  ]

  test.each(pods)('%s is not root and writes to its own folders only', (_, manifests, kind) => {
    const pod = podOf(manifests(), kind)
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const [container] = pod.containers
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(
      ['/data', '/tmp'],
    )
    for (const volume of pod.volumes) expect(volume).toHaveProperty('emptyDir')
  })
})

test('the example has the probes, limits and security of the chart', () => {
  const [fromChart] = podOf(renderChart(required)).containers
  const [fromExample] = podOf(example()).containers
  const { env, image, imagePullPolicy, startupProbe, ...expected } = fromChart
  const { env: _, image: __, startupProbe: ___, ...actual } = fromExample
  expect(actual).toEqual(expected)
  expect(fromExample.startupProbe.httpGet).toEqual(startupProbe.httpGet)
})

test('a pod that migrates before it listens has an hour for it', () => {
  expect(settingsOf(example()).MIGRATE).toBeUndefined()
  const { periodSeconds, failureThreshold } = podOf(example()).containers[0].startupProbe
  expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(3600)
})

test('the scrape settings in packages/plinth/docs/deploying.md find the pods of the chart, as the job plinth', () => {
  const guide = readFileSync('packages/plinth/docs/deploying.md', 'utf8')
  const [, settings = ''] =
    /```yaml\n(# prometheus\.yml\n[^`]*kubernetes_sd_configs[^`]*)```/.exec(guide) ?? []
  const rules: Rule[] = parse(settings).scrape_configs[0].relabel_configs
  const { labels, annotations } = find(renderChart(everything), 'Deployment').spec.template.metadata
  const target: Labels = {
    job: 'pods',
    __meta_kubernetes_pod_ip: '10.1.2.3',
    ...metaLabels('annotation', annotations),
    // The release is named so in the guide.
    ...metaLabels('label', { ...labels, 'app.kubernetes.io/instance': 'app' }),
  }
  const expected = { __address__: '10.1.2.3:9464', __metrics_path__: '/metrics', job: 'plinth' }
  expect(relabel(target, rules)).toMatchObject(expected)
  const other = { ...target, ...metaLabels('label', { 'app.kubernetes.io/instance': 'shop' }) }
  expect(relabel(other, rules)).toMatchObject({ ...expected, job: 'pods' })
  const { __meta_kubernetes_pod_annotation_prometheus_io_scrape: _, ...silent } = other
  expect(relabel(silent, rules)).toBeUndefined()
})

type Labels = Record<string, string>
type Rule = Record<'regex' | 'target_label' | 'replacement' | 'separator' | 'action', string> & {
  source_labels: string[]
}

function metaLabels(kind: 'annotation' | 'label', values: Labels): Labels {
  const nameOf = (name: string) => `__meta_kubernetes_pod_${kind}_${name.replace(/\W/g, '_')}`
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), value]))
}

/** As Prometheus does it, for the actions `keep` and `replace`. Undefined if the target is dropped. */
function relabel(target: Labels, rules: Rule[]): Labels | undefined {
  const labels = { ...target }
  for (const { source_labels, regex = '(.*)', separator = ';', ...rule } of rules) {
    const source = source_labels.map((name) => labels[name] ?? '').join(separator)
    const match = new RegExp(`^(?:${regex})$`).exec(source)
    if (rule.action === 'keep' && !match) return undefined
    if (rule.action === 'keep' || !match) continue
    const { target_label, replacement = '$1' } = rule
    labels[target_label] = replacement.replace(/\$(\d)/g, (_, group) => match[group] ?? '')
  }
  return labels
}

describe('the renderer of the tests', () => {
  const root = {
    Values: { on: true, off: false, list: ['a', 'b'], map: { b: 2, a: 1 }, text: 'x' },
  }

  test.each([
    ['{{ if .Values.on }}yes{{ else }}no{{ end }}', 'yes'],
    ['{{ if .Values.off }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ if not .Values.off }}{{ if .Values.on }}1{{ end }}2{{ end }}3', '123'],
    [
      'a\n  {{- with .Values.map }}\nb:{{ toYaml . | nindent 2 }}{{ end }}',
      'a\nb:\n  b: 2\n  a: 1',
    ],
    ['{{ range .Values.list }}<{{ . }}>{{ end }}', '<a><b>'],
    [
      '{{ range $name, $value := .Values.map }}{{ $name }}={{ $value | quote }} {{ end }}',
      'a="1" b="2" ',
    ],
    ['{{ required "needed" .Values.text | quote }}', '"x"'],
  ])('%j', (template, expected) => {
    expect(renderTemplate(template, root)).toBe(expected)
  })

  test.each([
    '{{ .Values.missing }}',
    '{{ include "name" . }}',
    '{{ .Values.text | upper }}',
    '{{ template "x" }}',
    '{{ if .Values.on }}',
    '{{ .Values.list }}',
    '{{ end }}',
  ])('refuses %s', (template) => {
    expect(() => renderTemplate(template, root)).toThrow()
  })
})
