import { playwrightConfig } from 'plinth/testing/playwright'

export default playwrightConfig()
