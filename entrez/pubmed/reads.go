package pubmed

// Fields lists the elements and attributes that this package reads, in the form of the Reply of a
// httpclient.Dependency. The text of elements with /* may contain markup (DTD pubmed_250101).
const Fields = "PubmedArticleSet PubmedArticle PubmedBookArticleSet PubmedBookArticle BookDocumentSet BookDocument " +
	"DeleteCitation DeleteDocument " +
	"MedlineCitation @Status @IndexingMethod PMID @Version DateCompleted DateRevised Year Month Day Hour Minute " +
	"Season MedlineDate " +
	"Article @PubModel Journal ISSN @IssnType JournalIssue @CitedMedium Volume Issue PubDate Title/* " +
	"ISOAbbreviation ArticleTitle/* VernacularTitle/* " +
	"Pagination StartPage EndPage MedlinePgn ELocationID @EIdType @ValidYN Abstract OtherAbstract @Type @Language " +
	"AbstractText/* @Label @NlmCategory CopyrightInformation/* " +
	"AuthorList @CompleteYN Author Investigator InvestigatorList @EqualContrib LastName ForeName Initials Suffix/* " +
	"CollectiveName/* Identifier @Source AffiliationInfo Affiliation/* " +
	"Language DataBankList DataBank DataBankName AccessionNumberList AccessionNumber GrantList Grant GrantID " +
	"Acronym Agency Country PublicationTypeList PublicationType @UI ArticleDate @DateType " +
	"MedlineJournalInfo MedlineTA NlmUniqueID ISSNLinking ChemicalList Chemical RegistryNumber NameOfSubstance " +
	"SupplMeshList SupplMeshName CitationSubset " +
	"CommentsCorrectionsList CommentsCorrections @RefType RefSource Note/* GeneSymbolList GeneSymbol " +
	"MeshHeadingList MeshHeading DescriptorName QualifierName @MajorTopicYN " +
	"PersonalNameSubjectList PersonalNameSubject KeywordList Keyword/* CoiStatement/* GeneralNote/* " +
	"PubmedData PubmedBookData History PubMedPubDate @PubStatus PublicationStatus ArticleIdList ArticleId @IdType " +
	"ReferenceList Reference Citation/* " +
	"Book Publisher PublisherName/* PublisherLocation BookTitle/* BeginningDate EndingDate ContributionDate " +
	"VolumeTitle/* Edition CollectionTitle/* Isbn Medium ReportNumber " +
	"LocationLabel Sections Section SectionTitle/* ItemList @ListType Item"
