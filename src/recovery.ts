import { recoveryCommand } from 'plinth/commands/recovery'
import { app } from '@/register'

await recoveryCommand(app)
