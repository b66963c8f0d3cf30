/** Whether a table is what a campaign wrote. */
import type { InputError } from "../model/input-error.ts";
import { type Campaign, type CampaignSpec, openCampaign } from "./campaign.ts";
import { type Column, columnsOf, type Table } from "./table.ts";

/** What its metadata say, where they and its columns are those that were written. */
export function campaignIn(table: Table, wrong: (problem: string) => InputError): Campaign {
  const { "sideslip.campaign": text, "sideslip.hash": hash } = table.metadata;
  if (text === undefined) throw wrong("is not a result of `sideslip campaign`");
  let campaign: Campaign;
  try {
    campaign = openCampaign(JSON.parse(text) as CampaignSpec);
  } catch (error) {
    throw wrong(`holds a specification that cannot be read: ${(error as Error).message}`);
  }
  if (campaign.hash !== hash)
    throw wrong(
      `contains another specification (${campaign.hash}) than the one that was flown (${hash ?? "none"})`,
    );
  const strange = strangeColumn(table, campaign);
  if (strange !== undefined) throw wrong(strange);
  return campaign;
}

/** What is wrong with the columns of a table that should be a campaign's. */
export function strangeColumn(table: Table, campaign: Campaign): string | undefined {
  const wanted = columnsOf(campaign);
  const said = ({ name, kind }: Pick<Column, "name" | "kind">) => `${name} (${kind})`;
  for (let i = 0; i < Math.max(wanted.length, table.columns.length); i++) {
    const [should, is] = [wanted[i], table.columns[i]];
    if (should === undefined) return `has a column ${said(is)} that no campaign writes`;
    if (is === undefined) return `has no column ${said(should)}`;
    if (said(is) !== said(should)) return `has ${said(is)} where ${said(should)} should be`;
  }
  return undefined;
}
