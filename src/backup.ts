import { backupCommand } from 'plinth/commands/backup'

await backupCommand()
