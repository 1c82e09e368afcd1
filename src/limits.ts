import { limitsCommand } from 'plinth/commands/limits'

await limitsCommand()
