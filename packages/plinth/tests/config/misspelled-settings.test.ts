import { expect, test } from 'vitest'
import { parseEnv } from '#config/env'
import { findMisspelled } from '#config/misspelled-settings'

function meantBy(name: string): string | undefined {
  return findMisspelled({ [name]: 'x' }, ['AUTH_GITHUB_ID'])[0]?.meant
}

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ['AUTH_SECERT', 'AUTH_SECRET'],
  ['AUHT_ULR', 'AUTH_URL'],
  ['AUTH_GITHBU_ID', 'AUTH_GITHUB_ID'],
  ['SING_UP', 'SIGN_UP'],
  ['SECOND_FACTORS', 'SECOND_FACTOR'],
  ['TRUST_PROXI', 'TRUST_PROXY'],
  ['PROT', 'PORT'],
])('%s is named as a misspelled %s', (name, meant) => {
  expect(meantBy(name)).toBe(meant)
})

/** Set by shells, npm, container engines, Kubernetes, CI and other programs. */
const ordinary = `
  HOME HOSTNAME HOSTTYPE HOSTS LOGNAME MACHTYPE MAIL OLDPWD OSTYPE PATH PORTS POST PWD SHELL SHLVL TERM USER
  LANG LC_ALL TZ TMPDIR EDITOR PAGER DISPLAY XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS SSH_AUTH_SOCK
  PGHOST PGPORT PGDATA PGDATABASE POSTGRES_PASSWORD REDIS_PORT REDIS_HOST SMTP_HOST SMTP_PORT AUTH_PORT
  APP_PORT APP_SERVICE_HOST APP_SERVICE_PORT KUBERNETES_PORT KUBERNETES_SERVICE_HOST CI GITHUB_ACTIONS
  NODE NODE_PATH NODE_OPTIONS NODE_VERSION NODE_EXTRA_CA_CERTS NVM_DIR npm_config_cache npm_package_name
  NEXT_RUNTIME NEXT_DEPLOYMENT_ID NEXT_SERVER_ACTIONS_ENCRYPTION_KEY HTTP_PROXY HTTPS_PROXY NO_PROXY
  OTEL_BLRP_SCHEDULE_DELAY OTEL_BLRP_EXPORT_TIMEOUT OTEL_BLRP_MAX_QUEUE_SIZE OTEL_EXPORTER_OTLP_LOGS_ENDPOINT
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_PROPAGATORS
  OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_TRACES_HEADERS
`

test.each(ordinary.trim().split(/\s+/))('%s belongs to others', (name) => {
  expect(meantBy(name)).toBeUndefined()
})

test('the line of an invalid setting names misspelled ones too, without their values', () => {
  const DATABASE_URL = 'postgres://db/plinth'
  const attempt = () => parseEnv({ DATABASE_URL, AUTH_SECERT: 'hunter2' })
  expect(attempt).toThrow(
    /^Settings: AUTH_SECRET is required .*\. AUTH_SECERT is not a setting\. Did you mean AUTH_SECRET\?$/,
  )
  expect(attempt).not.toThrow(/hunter2/)
})

test('a misspelled DATABASE_URL is refused, unless the right one is set too or it is empty', () => {
  const AUTH_SECRET = 's'.repeat(32)
  const DATABASE_URL = 'postgres://db/plinth'
  expect(() => parseEnv({ DATABSE_URL: DATABASE_URL, AUTH_SECRET })).toThrow(/DATABSE_URL is not/)
  expect(parseEnv({ DATABSE_URL: '' }).embedded).toBe(true)
  expect(parseEnv({ DATABSE_URL: DATABASE_URL, DATABASE_URL, AUTH_SECRET }).embedded).toBe(false)
})
